package io.entroq.server.cli.work;

import com.fasterxml.jackson.databind.JsonNode;
import io.entroq.api.Value;
import io.entroq.api.worker.Handler;
import io.entroq.workers.JsonTemplate;
import io.entroq.workers.MapHandler;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The {@code work map} command. */
@Command(
    name = "map",
    header = "Make a new value of the value of each task.",
    description = {
      "",
      "A task has the value {\"val\": VALUE}. The result has {\"val\": MAPPED, \"err\": \"\"} and goes"
          + " to the outbox. If the template asks for what the value does not have, the result has"
          + " the reason as \"err\" and goes to the errbox.",
      "",
      "A task whose value is no such object is moved to its queue followed by /err. There is one"
          + " result for each task, whatever fails.",
      ""
    },
    footer = {
      "",
      "Examples:",
      "  entroq work map --data data -q users --template '{\"name\":\"$/user/name\"}'",
      "",
      "Exit status: 0 if --until-empty ended it; 1 if it failed; 2 if the command line is wrong;"
          + " 128 plus the signal number if a signal ended it."
    })
final class MapCommand extends HandlerCommand {
  @Mixin private ResultOptions results;
  @Mixin private ResultOptions.OfTasks boxes;

  @Option(
      names = "--template",
      paramLabel = "JSON",
      required = true,
      description =
          "The mapped value. A string \"$\" in it stands for VALUE, and \"$/user/name\" for what the"
              + " JSON Pointer /user/name finds there; \"$$\" at its beginning is a dollar sign.")
  private String template;

  @Override
  Handler<Value> open() {
    return MapHandler.of(
        JsonNode.class, JsonTemplate.parse(template), boxes.apply(results.results()));
  }

  @Override
  int retries() {
    return results.retries();
  }
}
