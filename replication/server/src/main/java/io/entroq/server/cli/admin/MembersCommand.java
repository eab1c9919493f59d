package io.entroq.server.cli.admin;

import io.entroq.api.EntroQException;
import io.entroq.codec.wire.published.admin.StatusResponse;
import io.entroq.server.cli.queue.print.TextTable;
import io.entroq.tools.log.JsonLines;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The {@code members} command. */
@Command(
    name = "members",
    header = "Show the state of all members of a cluster.",
    description = {
      "",
      "Asks the given members in turn and prints a line for each, which shows whether it leads,"
          + " is behind, or does not answer.",
      "",
      "A cluster works while more than half of its members follow one leader. Give all members;"
          + " others count as missing.",
      ""
    },
    footer = {
      "",
      "Examples:",
      "  entroq members -s a:37706,b:37706,c:37706",
      "",
      "Exit status: 0 if all members answer and follow one leader; 1 if no majority does; 2 if"
          + " the command line is wrong; 4 if a majority does, but not all."
    })
public final class MembersCommand extends AdminCommand {
  @Option(names = "--json", description = "Print a JSON object per member instead of a table.")
  private boolean isJson;

  @Override
  int run(List<String> addresses) {
    List<MemberReply> replies = addresses.stream().map(this::ask).toList();
    List<StatusResponse> answers =
        replies.stream().flatMap(reply -> reply.status().stream()).toList();
    Agreement agreement = Agreement.of(answers);
    if (isJson) {
      try (JsonLines lines = json()) {
        replies.forEach(reply -> write(lines, reply));
      }
    } else {
      table(replies).forEach(this::print);
      print(agreement.text(addresses.size()));
      clocks(answers).forEach(this::print);
    }
    if (agreement.isComplete()) {
      return STATUS_OK;
    }
    return agreement.isMajority() ? STATUS_DEGRADED : STATUS_FAILED;
  }

  /** What the members say of the leader's clock, and whose is wrong if more than one says so. */
  private static List<String> clocks(List<StatusResponse> answers) {
    List<String> lines = new ArrayList<>();
    for (StatusResponse answer : answers) {
      StatusText.clock(answer).ifPresent(text -> lines.add("ALARM: " + text + "."));
    }
    if (lines.size() > 1) {
      lines.add("Set the clock of the leader: several members say that it is wrong.");
    }
    return lines;
  }

  private MemberReply ask(String address) {
    try {
      return new MemberReply(address, Optional.of(status(address)), "");
    } catch (EntroQException e) {
      return new MemberReply(address, Optional.empty(), e.getMessage());
    }
  }

  private static List<String> table(List<MemberReply> replies) {
    TextTable table =
        new TextTable(
            "ADDRESS",
            "MEMBER",
            "ROLE",
            "TERM",
            "APPLIED",
            "BEHIND",
            "DIGEST",
            "LEVEL",
            "SUPPORTS");
    List<String> silent = new ArrayList<>();
    for (MemberReply reply : replies) {
      if (reply.status().isPresent()) {
        StatusResponse status = reply.status().get();
        table.row(
            reply.address(),
            status.getMemberId(),
            StatusText.role(status),
            status.getTerm(),
            status.getAppliedSequence(),
            StatusText.lagBytes(status),
            StatusText.digest(status),
            StatusText.level(status),
            StatusText.supported(status));
      } else {
        table.row(reply.address(), "-", "does not answer", "-", "-", "-", "-", "-", "-");
        silent.add(reply.failure());
      }
    }
    List<String> lines = new ArrayList<>(table.lines());
    lines.addAll(silent);
    return lines;
  }

  private static void write(JsonLines lines, MemberReply reply) {
    lines.line(
        json -> {
          json.writeStringField("address", reply.address());
          if (reply.status().isPresent()) {
            StatusJson.write(json, reply.status().get());
          } else {
            json.writeStringField("error", reply.failure());
          }
        });
  }

  /**
   * A member's status.
   *
   * @param status empty if the member did not answer
   * @param failure why it did not answer; else empty
   */
  private record MemberReply(String address, Optional<StatusResponse> status, String failure) {}
}
