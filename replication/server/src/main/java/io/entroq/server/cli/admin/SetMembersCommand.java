package io.entroq.server.cli.admin;

import io.entroq.cluster.member.MemberAddress;
import io.entroq.cluster.member.MemberConfig;
import io.entroq.cluster.member.MemberException;
import io.entroq.cluster.member.MembershipChange;
import io.entroq.cluster.service.StateDigest;
import io.entroq.engine.log.LogException;
import io.entroq.tools.terminal.CommandException;
import io.entroq.tools.terminal.PlainLine;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The {@code set-members} command: see {@link MembershipChange}. */
@Command(
    name = "set-members",
    header = "Change the members of a stopped cluster, in the directory of one of them.",
    description = {
      "",
      "Run it on the directory of each member after `entroq shutdown`, with the position that this"
          + " has printed, and the same --members everywhere. A new member begins with a copy of the"
          + " directory of one that has stopped there. Then start all with the new --members.",
      "",
      "Reads the whole snapshot, and refuses a directory that is not complete up to the position.",
      ""
    },
    footer = {
      "",
      "Examples:",
      "  entroq set-members --data data --id 0 \\",
      "    --members a:9200,b:9200,c:9200,d:9200,e:9200 --position 73728",
      "  entroq set-members --data data --id 0 --members a:9200,b:9200,c:9200 --reopen",
      "",
      "Exit status: 0 if the directory was changed; 1 if nothing was changed; 2 if the command"
          + " line is wrong."
    },
    mixinStandardHelpOptions = true)
public final class SetMembersCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Option(
      names = "--data",
      paramLabel = "DIR",
      required = true,
      description = "Directory of a stopped member, or a copy of it.")
  private Path data;

  @Option(
      names = "--id",
      paramLabel = "N",
      required = true,
      description = "The member's position in --members from now on; the first is 0.")
  private int id;

  @Option(
      names = "--members",
      paramLabel = "HOST:PORT,...",
      required = true,
      description =
          "All members from now on, as for `entroq node`: 3, 5 or 7. A single one starts only in a"
              + " program that embeds it.")
  private String members;

  @ArgGroup(multiplicity = "1")
  private From from;

  private static final class From {
    @Option(
        names = "--position",
        paramLabel = "P",
        required = true,
        description = "Where the members have stopped, as `entroq shutdown` has printed.")
    private long position;

    @Option(
        names = "--reopen",
        required = true,
        description = "The same members go on, because the change is given up.")
    private boolean isReopened;
  }

  @Override
  public Integer call() {
    PrintWriter out = spec.commandLine().getOut();
    MembershipChange change = new MembershipChange(config());
    try {
      if (from.isReopened) {
        change.reopen();
        PlainLine.printf(out, "%s is open again, as the directory of member %d.", data, id);
      } else {
        StateDigest state = change.apply(from.position);
        PlainLine.printf(
            out,
            "%s is the directory of member %d from position %d on: record %d, digests %016x and %016x.",
            data,
            id,
            from.position,
            state.sequence(),
            state.history(),
            state.content());
      }
    } catch (LogException | MemberException e) {
      throw new CommandException(e.getMessage(), e);
    }
    return 0;
  }

  private MemberConfig config() {
    try {
      return MemberConfig.of(id, MemberAddress.list(members), data.toAbsolutePath().normalize())
          .build();
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), e.getMessage(), e);
    }
  }
}
