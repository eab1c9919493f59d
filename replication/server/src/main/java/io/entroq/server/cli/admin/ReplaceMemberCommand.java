package io.entroq.server.cli.admin;

import io.entroq.api.Durability;
import io.entroq.cluster.image.ImageSource;
import io.entroq.cluster.member.MemberAddress;
import io.entroq.cluster.member.MemberConfig;
import io.entroq.cluster.member.MemberException;
import io.entroq.cluster.member.MemberReplacement;
import io.entroq.codec.wire.published.admin.StateOfMember;
import io.entroq.codec.wire.published.admin.StatusResponse;
import io.entroq.engine.log.LogException;
import io.entroq.engine.state.Levels;
import io.entroq.server.cli.queue.options.CopyOption;
import io.entroq.server.serving.SecretFile;
import io.entroq.server.serving.TrafficCheck;
import io.entroq.tools.log.CopyProgress;
import io.entroq.tools.terminal.CommandException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The {@code replace-member} command: see {@link MemberReplacement}. */
@Command(
    name = "replace-member",
    header = "Create a new directory for a cluster member that has lost its own.",
    description = {
      "",
      "Run it on the machine of the lost member, with the same id, addresses and --secret-file;"
          + " only its own address may be a new one, with which the others are then restarted."
          + " Without the members' secret, the leader sends nothing. It copies the"
          + " newest snapshot and the log that follows it from the leader, and the snapshot's image"
          + " from any member. A majority of the cluster must follow that leader. Then start the"
          + " member with `entroq node` as usual, without --bootstrap.",
      "",
      "The lost member must be down. Never start it from the remains of its old directory again."
          + " No member starts from the new directory until it is complete. If this command is"
          + " interrupted, run it again: it goes on with the image.",
      "",
      "Images hold all tasks, so they are copied with TLS (-S, --tls-ca) unless the members are on"
          + " this machine. With an authorizer, the token must allow everything.",
      ""
    },
    footer = {
      "",
      "Examples:",
      "  entroq replace-member --id 2 --members a:9200,b:9200,c:9200 --data data \\",
      "    --secret-file secret --tls-ca ca.pem -s a:37706,b:37706",
      "",
      "Exit status: 0 if the directory is complete; 1 if it is not; 2 if the command line is"
          + " wrong."
    })
public final class ReplaceMemberCommand extends AdminCommand {
  @Option(
      names = "--id",
      paramLabel = "N",
      required = true,
      description = "Lost member's position in --members; the first is 0.")
  private int id;

  @Option(
      names = "--members",
      paramLabel = "HOST:PORT,...",
      required = true,
      description = "All members, as for `entroq node`.")
  private String members;

  @Option(
      names = "--data",
      paramLabel = "DIR",
      required = true,
      description = "New directory of the member; must be empty or not exist.")
  private Path data;

  @Option(names = "--driver-directory", paramLabel = "DIR", description = "As for `entroq node`.")
  private Path driverDirectory;

  @Option(names = "--secret-file", paramLabel = "FILE", description = "As for `entroq node`.")
  private Path secretFile;

  @Option(names = "--allow-public-members", description = "As for `entroq node`.")
  private boolean isPublicAllowed;

  @Mixin private CopyOption copies;

  @Override
  int run(List<String> addresses) {
    MemberConfig config = config();
    checkCopies(copies, addresses);
    TrafficCheck.run(config, "--members", "--allow-public-members", isPublicAllowed);
    List<String> failures = new ArrayList<>();
    Map<String, StatusResponse> answers = answers(addresses, failures);
    StatusResponse leader = leader(config, addresses, answers, failures);
    long position;
    try (CopyProgress progress = new CopyProgress()) {
      position =
          new MemberReplacement(config, images(leader, answers), progress).run(source(leader));
    } catch (LogException | MemberException | IllegalStateException e) {
      throw new CommandException(e.getMessage(), e);
    }
    print(
        ("The directory of member %d is complete: %s, with %,d bytes of log. Start the member without"
                + " --bootstrap.")
            .formatted(id, config.directory(), position));
    return STATUS_OK;
  }

  private MemberConfig config() {
    try {
      MemberConfig.Builder config =
          MemberConfig.of(id, MemberAddress.list(members), data.toAbsolutePath().normalize())
              .durability(Durability.DISK);
      Optional.ofNullable(driverDirectory).ifPresent(config::driverDirectory);
      Optional.ofNullable(secretFile)
          .map(file -> SecretFile.read("--secret-file", file))
          .ifPresent(config::secret);
      return config.build();
    } catch (IllegalArgumentException e) {
      throw usageError(e.getMessage());
    }
  }

  /** Followers first: the leader has the most work. */
  private List<ImageSource> images(StatusResponse leader, Map<String, StatusResponse> answers) {
    if (leader.getState().getLevel() < Levels.IMAGES) {
      // Snapshots hold the state, and members may be too old to be asked.
      return List.of((position, offset) -> Optional.empty());
    }
    return answers.entrySet().stream()
        .sorted(Comparator.comparing(each -> each.getValue().equals(leader)))
        .<ImageSource>map(each -> new AdminImages(() -> connect(each.getKey())))
        .toList();
  }

  private StatusResponse leader(
      MemberConfig config,
      List<String> addresses,
      Map<String, StatusResponse> answers,
      List<String> failures) {
    answers.values().forEach(answer -> requireOther(config, answer));
    Agreement agreement = Agreement.of(List.copyOf(answers.values()));
    if (!agreement.isMajority()) {
      failures.add(
          0,
          agreement.text(addresses.size())
              + " Give all other members with -s; a majority is needed");
      throw new CommandException(String.join("; ", failures));
    }
    StatusResponse leader = leader(answers, agreement).getValue();
    if (!leader.hasState()) {
      throw new CommandException(
          "the leader, member %d, has no state yet or is busy: run the command again"
              .formatted(leader.getMemberId()));
    }
    return leader;
  }

  private static MemberReplacement.Source source(StatusResponse leader) {
    StateOfMember state = leader.getState();
    return new MemberReplacement.Source(
        leader.getMemberId(),
        leader.getTerm(),
        leader.getCommitPosition(),
        state.getClusterIdHigh(),
        state.getClusterIdLow(),
        leader.getMembersSince());
  }

  /** The lost member may have another address now, which the others learn at their next start. */
  private void requireOther(MemberConfig config, StatusResponse answer) {
    List<String> expected =
        new ArrayList<>(config.members().stream().map(MemberAddress::ingress).toList());
    List<String> present = new ArrayList<>(answer.getMembersList());
    if (expected.size() == present.size()) {
      expected.set(id, present.get(id));
    }
    if (!present.equals(expected)) {
      throw new CommandException(
          ("member %d is configured with other members: %s. Only the address of the lost member may"
                  + " differ")
              .formatted(answer.getMemberId(), String.join(",", answer.getMembersList())));
    }
    if (answer.getMemberId() == id) {
      throw new CommandException("member %d answers; it is not lost".formatted(id));
    }
  }
}
