"""What runs amount to together: configurations, medians and their intervals, the curves that a figure shows."""
