package io.entroq.server.cli.admin;

import io.entroq.api.Durability;
import io.entroq.api.EntroQException;
import io.entroq.cluster.member.MemberAddress;
import io.entroq.cluster.member.MemberConfig;
import io.entroq.cluster.member.MemberException;
import io.entroq.cluster.member.MemberReplacement;
import io.entroq.cluster.member.MemberReplacement.Healthy;
import io.entroq.codec.wire.published.admin.StateOfMember;
import io.entroq.codec.wire.published.admin.StatusResponse;
import io.entroq.server.serving.SecretFile;
import io.entroq.tools.log.CopyProgress;
import io.entroq.tools.terminal.CommandException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The {@code replace-member} command: see {@link MemberReplacement}. */
@Command(
    name = "replace-member",
    header = "Makes the directory of a member that has lost its own.",
    description = {
      "",
      "Run it on the machine of the lost member, in whose place the new one comes: same number, same"
          + " addresses. It asks the others, of whom a majority of the cluster has to follow one"
          + " leader, and copies the newest snapshot and the log behind it from that leader. Then"
          + " start the member by `entroq node`, as always and without --bootstrap.",
      "",
      "The lost member must be down, and what is left of its directory must never be started again."
          + " Until the new directory is complete no member starts from it; if this is interrupted,"
          + " run it again.",
      "",
      "Where an authorizer decides, the token has to allow that all queues and namespaces are read.",
      ""
    },
    footer = {
      "",
      "Examples:",
      "  entroq replace-member --id 2 --members a:9200,b:9200,c:9200 --data data \\",
      "    -s a:37706,b:37706",
      "",
      "Exit status: 0 if the directory is complete; 1 if it is not; 2 if the command line is wrong."
    })
public final class ReplaceMemberCommand extends AdminCommand {
  @Option(
      names = "--id",
      paramLabel = "N",
      required = true,
      description = "Which member was lost: its place among all, the first is 0.")
  private int id;

  @Option(
      names = "--members",
      paramLabel = "HOST:PORT,...",
      required = true,
      description = "All members, as `entroq node` is told.")
  private String members;

  @Option(
      names = "--data",
      paramLabel = "DIR",
      required = true,
      description = "The new directory of the member. Must not exist, or be empty.")
  private Path data;

  @Option(
      names = "--driver-directory",
      paramLabel = "DIR",
      description = "As `entroq node` is told.")
  private Path driverDirectory;

  @Option(names = "--secret-file", paramLabel = "FILE", description = "As `entroq node` is told.")
  private Path secretFile;

  /** With the options that it will be given. */
  public ReplaceMemberCommand() {}

  @Override
  int run(List<String> addresses) {
    MemberConfig config = config();
    Healthy healthy = healthy(config, addresses);
    long position;
    try (CopyProgress progress = new CopyProgress()) {
      position = new MemberReplacement(config, progress).run(healthy);
    } catch (MemberException | IllegalStateException e) {
      throw new CommandException(e.getMessage(), e);
    }
    print(
        "Member %d has its directory again, %s: the log up to %,d bytes. Start it without --bootstrap."
            .formatted(id, config.directory(), position));
    return STATUS_OK;
  }

  private MemberConfig config() {
    try {
      List<MemberAddress> all =
          Arrays.stream(members.split(",", -1))
              .map(String::strip)
              .map(ReplaceMemberCommand::address)
              .toList();
      MemberConfig.Builder config =
          MemberConfig.of(id, all, data.toAbsolutePath().normalize()).durability(Durability.DISK);
      Optional.ofNullable(driverDirectory).ifPresent(config::driverDirectory);
      Optional.ofNullable(secretFile)
          .map(file -> SecretFile.read("--secret-file", file))
          .ifPresent(config::secret);
      return config.build();
    } catch (IllegalArgumentException e) {
      throw misused(e.getMessage());
    }
  }

  private static MemberAddress address(String text) {
    int colon = text.lastIndexOf(':');
    if (colon < 1 || !text.substring(colon + 1).matches("\\d{1,5}")) {
      throw new IllegalArgumentException("not a host and a port: '" + text + "'");
    }
    return MemberAddress.of(text.substring(0, colon), Integer.parseInt(text.substring(colon + 1)));
  }

  private Healthy healthy(MemberConfig config, List<String> addresses) {
    List<String> silent = new ArrayList<>();
    List<StatusResponse> answers = new ArrayList<>();
    for (String address : addresses) {
      try {
        answers.add(status(address));
      } catch (EntroQException.Unavailable e) {
        silent.add(e.getMessage());
      }
    }
    answers.forEach(answer -> requireOther(config, answer));
    Agreement agreement = Agreement.of(answers);
    if (!agreement.isMajority()) {
      silent.add(
          0, agreement.text(addresses.size()) + " Name all others with -s; a majority is needed");
      throw new CommandException(String.join("; ", silent));
    }
    StatusResponse leader =
        answers.stream()
            .filter(answer -> answer.getMemberId() == agreement.leader())
            .findFirst()
            .orElseThrow(
                () ->
                    new CommandException(
                        "member %d leads and was not asked; name it with -s, too"
                            .formatted(agreement.leader())));
    if (!leader.hasState()) {
      throw new CommandException(
          "member %d, which leads, has no state yet, or it is busy: run it again"
              .formatted(leader.getMemberId()));
    }
    StateOfMember state = leader.getState();
    return new Healthy(
        leader.getMemberId(),
        leader.getTerm(),
        leader.getCommitPosition(),
        state.getClusterIdHigh(),
        state.getClusterIdLow());
  }

  private void requireOther(MemberConfig config, StatusResponse answer) {
    List<String> told = config.members().stream().map(MemberAddress::ingress).toList();
    if (!answer.getMembersList().equals(told)) {
      throw new CommandException(
          "member %d says that the members are %s"
              .formatted(answer.getMemberId(), String.join(",", answer.getMembersList())));
    }
    if (answer.getMemberId() == id) {
      throw new CommandException("member %d answers, so it is not lost".formatted(id));
    }
  }
}
