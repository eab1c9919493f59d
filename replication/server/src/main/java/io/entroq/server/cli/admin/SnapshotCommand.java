package io.entroq.server.cli.admin;

import io.entroq.api.EntroQException;
import io.entroq.client.AdminClient;
import io.entroq.codec.wire.published.admin.StatusResponse;
import io.entroq.server.settings.DurationConverter;
import io.entroq.tools.terminal.CommandException;
import io.entroq.tools.terminal.Interruption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The {@code snapshot} command. */
@Command(
    name = "snapshot",
    header = "Take a snapshot on all members of a cluster.",
    description = {
      "",
      "Asks the leader for a snapshot, which it finds among the given members, and waits until"
          + " the leader has taken it. The others take theirs at the same position of the log."
          + " Commands wait meanwhile.",
      "",
      "With an authorizer, the token must allow every action on all queues and namespaces.",
      ""
    },
    footer = {
      "",
      "Examples:",
      "  entroq snapshot -s a:37706,b:37706,c:37706",
      "",
      "Exit status: 0 if the snapshot was taken; 1 if it was not, or no given member leads; 2 if"
          + " the command line is wrong; 130 if it was interrupted; the snapshot is taken"
          + " nevertheless."
    })
public final class SnapshotCommand extends AdminCommand {
  private static final Duration LOOK_INTERVAL = Duration.ofMillis(50);

  @Option(
      names = "--timeout",
      paramLabel = "TIME",
      converter = DurationConverter.class,
      defaultValue = "10m",
      description = "How long to wait: " + DurationConverter.FORMS + ". Default: 10m.")
  private Duration timeout;

  /** Instantiated by picocli. */
  public SnapshotCommand() {}

  @Override
  int run(List<String> addresses) {
    List<String> refusals = new ArrayList<>();
    for (String address : addresses) {
      try (AdminClient client = connect(address)) {
        Optional<Asked> asked = ask(client, refusals);
        if (asked.isPresent()) {
          return await(client, asked.get());
        }
      }
    }
    throw new CommandException(String.join("; ", refusals));
  }

  /**
   * Asks a member for a snapshot, which it takes if it leads.
   *
   * @param refusals receives the reason if it certainly does not
   */
  private static Optional<Asked> ask(AdminClient client, List<String> refusals) {
    try {
      StatusResponse before = client.status();
      long position = before.getSnapshot().getPosition();
      try {
        return Optional.of(new Asked(client.takeSnapshot().getSnapshots(), position));
      } catch (EntroQException.OutcomeUnknown e) {
        // The snapshot may be in progress; asking another member could take a second one.
        return Optional.of(new Asked(before.getSnapshots(), position));
      }
    } catch (EntroQException.InvalidArgument
        | EntroQException.Unavailable
        | EntroQException.ResourceExhausted e) {
      refusals.add(e.getMessage());
      return Optional.empty();
    }
  }

  private int await(AdminClient client, Asked asked) {
    long beginNs = System.nanoTime();
    try (Interruption interruption = new Interruption("command")) {
      while (true) {
        String last;
        try {
          StatusResponse status = client.status();
          if (asked.isThere(status)) {
            print(done(status, System.nanoTime() - beginNs));
            return STATUS_OK;
          }
          last = "if it failed, the log of member %d says why".formatted(status.getMemberId());
        } catch (EntroQException.Unavailable | EntroQException.ResourceExhausted e) {
          // The member may be restarting; it has the request, so no other member is asked.
          last = e.getMessage();
        }
        if (System.nanoTime() - beginNs > timeout.toNanos()) {
          throw new CommandException(
              "the snapshot was requested, but not reported after %s; %s".formatted(timeout, last));
        }
        interruption.pause(LOOK_INTERVAL);
        if (interruption.isRequested()) {
          return Interruption.STATUS;
        }
      }
    }
  }

  private static String done(StatusResponse status, long tookNs) {
    return "Member %d took a snapshot in %,d ms: %s."
        .formatted(status.getMemberId(), tookNs / 1_000_000, StatusText.snapshot(status));
  }

  /**
   * The state when the snapshot was requested.
   *
   * @param snapshots number of snapshots since the member's start
   * @param position of the newest
   */
  private record Asked(long snapshots, long position) {
    /** Whether there is a newer snapshot. A restarted member counts from zero. */
    boolean isThere(StatusResponse status) {
      // The position is reported shortly after the snapshot exists.
      return status.getSnapshots() != snapshots && status.getSnapshot().getPosition() > position;
    }
  }
}
