package io.entroq.server.cli.admin;

import io.entroq.codec.wire.published.admin.StatusResponse;
import io.entroq.tools.log.JsonLines;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The {@code status} command. */
@Command(
    name = "status",
    header = "Show the state of a cluster member.",
    description = {
      "",
      "Shows a member's role, its position in the cluster's log, the digests of its state, and"
          + " the free space on its disk. Members that have applied the same sequence have the"
          + " same digests.",
      "",
      "With an authorizer, the token must allow reading all queues and namespaces.",
      ""
    },
    footer = {
      "",
      "Examples:",
      "  entroq status -s a:37706",
      "  entroq status -s a:37706 --json",
      "",
      "Exit status: 0 if the member leads or follows a leader; 1 if not, or if it does not"
          + " answer; 2 if the command line is wrong."
    })
public final class StatusCommand extends AdminCommand {
  @Option(names = "--json", description = "Print a JSON object.")
  private boolean isJson;

  @Override
  int run(List<String> addresses) {
    if (addresses.size() > 1) {
      throw usageError("give one member; `entroq members` accepts several");
    }
    StatusResponse status = status(addresses.get(0));
    if (isJson) {
      try (JsonLines lines = json()) {
        lines.line(json -> StatusJson.write(json, status));
      }
    } else {
      StatusText.lines(status).forEach(this::print);
    }
    return StatusText.hasLeader(status) ? STATUS_OK : STATUS_FAILED;
  }
}
