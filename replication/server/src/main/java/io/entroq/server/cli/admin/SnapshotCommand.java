package io.entroq.server.cli.admin;

import io.entroq.api.EntroQException;
import io.entroq.client.AdminClient;
import io.entroq.codec.wire.published.admin.StatusResponse;
import io.entroq.tools.terminal.CommandException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** The {@code snapshot} command. */
@Command(
    name = "snapshot",
    header = "Take a snapshot on all members of a cluster.",
    description = {
      "",
      "Finds the leader among the given members, requests a snapshot and waits until the leader"
          + " has taken it. The other members take theirs at the same log position. Below behavior"
          + " level 10, queue commands wait while a snapshot is taken.",
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
          + " the command line is wrong; 130 if it was interrupted, although the members still"
          + " take the snapshot."
    })
public final class SnapshotCommand extends AdminCommand {
  private static final Duration POLL_INTERVAL = Duration.ofMillis(50);

  @Mixin private WaitOption wait;

  /** Why the snapshot is not reported yet. */
  private String last;

  @Override
  int run(List<String> addresses) {
    List<String> refusals = new ArrayList<>();
    for (String address : addresses) {
      try (AdminClient client = connect(address)) {
        Optional<Baseline> baseline = request(client, refusals);
        if (baseline.isPresent()) {
          return await(client, baseline.get());
        }
      }
    }
    throw new CommandException(String.join("; ", refusals));
  }

  /**
   * Requests a snapshot from a member, which takes it if it leads.
   *
   * @param refusals receives the reason if the member certainly does not take it
   */
  private static Optional<Baseline> request(AdminClient client, List<String> refusals) {
    try {
      StatusResponse before = client.status();
      long position = before.getSnapshot().getPosition();
      try {
        return Optional.of(new Baseline(client.takeSnapshot().getSnapshots(), position));
      } catch (EntroQException.OutcomeUnknown e) {
        // The snapshot may be in progress; asking another member could take a second one.
        return Optional.of(new Baseline(before.getSnapshots(), position));
      }
    } catch (EntroQException.InvalidArgument | EntroQException.Unavailable e) {
      refusals.add(e.getMessage());
      return Optional.empty();
    }
  }

  private int await(AdminClient client, Baseline baseline) {
    long startNs = System.nanoTime();
    return wait.await(
        POLL_INTERVAL,
        () -> isTaken(client, baseline, startNs),
        () ->
            "the snapshot was requested, but not reported after %s; %s"
                .formatted(wait.timeoutText(), last));
  }

  private boolean isTaken(AdminClient client, Baseline baseline, long startNs) {
    try {
      StatusResponse status = client.status();
      if (baseline.isOlderThan(status)) {
        print(result(status, System.nanoTime() - startNs));
        return true;
      }
      last = "if it failed, the log of member %d says why".formatted(status.getMemberId());
    } catch (EntroQException.Unavailable e) {
      // The member may be restarting. It has the request, so do not ask another one.
      last = e.getMessage();
    }
    return false;
  }

  private static String result(StatusResponse status, long tookNs) {
    return "Member %d took a snapshot in %,d ms: %s."
        .formatted(status.getMemberId(), tookNs / 1_000_000, StatusText.snapshot(status));
  }

  /**
   * The member's snapshots at the time of the request.
   *
   * @param snapshots number of snapshots since the member started
   * @param position log position of the newest one
   */
  private record Baseline(long snapshots, long position) {
    /** Whether there is a newer snapshot. A restarted member counts from zero. */
    boolean isOlderThan(StatusResponse status) {
      // The position is reported shortly after the snapshot exists.
      return status.getSnapshots() != snapshots && status.getSnapshot().getPosition() > position;
    }
  }
}
