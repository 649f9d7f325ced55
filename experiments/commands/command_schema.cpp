// hogwild schema: the axes, parameters, schemes and columns that this program knows.
#include "experiments/commands/commands.h"

#include "experiments/commands/schema_text.h"
#include "experiments/files/durable.h"
#include "experiments/options/command_line.h"
#include "experiments/text/exit_code.h"

namespace hogwild {

void add_schema_options(CommandLine& app, SchemaOptions& options) {
    app.flag("--markdown", options.markdown, "The reference page of the axes instead of JSON");
    app.footer("Example:\n  hogwild schema | python3 -c 'import json, sys; print(json.load(sys.stdin)[\"columns\"])'");
}

int schema_command(const SchemaOptions& options) {
    print(options.markdown ? axes_page() : schema_json_text());
    return kExitDone;
}

} // namespace hogwild
