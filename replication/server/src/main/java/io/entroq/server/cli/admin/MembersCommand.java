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
      "Asks the given members one after the other and prints a line for each: who leads, who is"
          + " behind, and who does not answer.",
      "",
      "A cluster works while more than half of its members follow one leader. Name all members;"
          + " others count as missing.",
      ""
    },
    footer = {
      "",
      "Examples:",
      "  entroq members -s a:37706,b:37706,c:37706",
      "",
      "Exit status: 0 if a majority has one leader; 1 if not; 2 if the command line is wrong."
    })
public final class MembersCommand extends AdminCommand {
  @Option(names = "--json", description = "Print a JSON object per member instead of a table.")
  private boolean isJson;

  /** Instantiated by picocli. */
  public MembersCommand() {}

  @Override
  int run(List<String> addresses) {
    List<Asked> asked = addresses.stream().map(this::ask).toList();
    List<StatusResponse> answers = asked.stream().flatMap(one -> one.answer().stream()).toList();
    Agreement agreement = Agreement.of(answers);
    if (isJson) {
      try (JsonLines lines = json()) {
        asked.forEach(one -> write(lines, one));
      }
    } else {
      table(asked).forEach(this::print);
      print(agreement.text(addresses.size()));
    }
    return agreement.isMajority() ? STATUS_OK : STATUS_FAILED;
  }

  private Asked ask(String address) {
    try {
      return new Asked(address, Optional.of(status(address)), "");
    } catch (EntroQException e) {
      return new Asked(address, Optional.empty(), e.getMessage());
    }
  }

  private static List<String> table(List<Asked> asked) {
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
    for (Asked one : asked) {
      if (one.answer().isPresent()) {
        StatusResponse status = one.answer().get();
        table.row(
            one.address(),
            status.getMemberId(),
            StatusText.role(status),
            status.getTerm(),
            status.getAppliedSequence(),
            StatusText.lagBytes(status),
            StatusText.digest(status),
            StatusText.level(status),
            StatusText.supported(status));
      } else {
        table.row(one.address(), "-", "does not answer", "-", "-", "-", "-", "-", "-");
        silent.add(one.why());
      }
    }
    List<String> lines = new ArrayList<>(table.lines());
    lines.addAll(silent);
    return lines;
  }

  private static void write(JsonLines lines, Asked one) {
    lines.line(
        json -> {
          json.writeStringField("address", one.address());
          if (one.answer().isPresent()) {
            StatusJson.write(json, one.answer().get());
          } else {
            json.writeStringField("error", one.why());
          }
        });
  }

  /**
   * What a member has answered.
   *
   * @param why it has not
   */
  private record Asked(String address, Optional<StatusResponse> answer, String why) {}
}
