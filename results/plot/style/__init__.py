"""What figures look like: methods' colours and marks, axes, the sheet with its legend."""
