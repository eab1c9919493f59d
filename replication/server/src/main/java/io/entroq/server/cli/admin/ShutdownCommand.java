package io.entroq.server.cli.admin;

import io.entroq.api.EntroQException;
import io.entroq.client.AdminClient;
import io.entroq.codec.wire.published.admin.StatusResponse;
import io.entroq.codec.wire.published.admin.StopResponse;
import io.entroq.server.cli.queue.options.ConfirmOption;
import io.entroq.tools.terminal.CommandException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The {@code shutdown} command. */
@Command(
    name = "shutdown",
    header = "Stop all members of a cluster at one position, to change its members.",
    description = {
      "",
      "The members take a snapshot at one position of the log, and end there. This prints the"
          + " position, and the digests of the state. Afterwards no member starts from its directory"
          + " before `entroq set-members` was run on it. A follower may fail to take the snapshot:"
          + " set-members then refuses its directory, and a copy of another one takes its place.",
      "",
      "Not for restarts or pauses: for those, stop the processes with SIGTERM. Without --yes, the"
          + " command only says what it would do.",
      "",
      "With an authorizer, the token must allow every action on all queues and namespaces.",
      ""
    },
    footer = {
      "",
      "Examples:",
      "  entroq shutdown -s a:37706,b:37706,c:37706 --yes",
      "",
      "Exit status: 0 if all members that followed the leader have ended; 1 if not, which the"
          + " message explains; 2 if the command line is wrong or --yes is missing; 130 if it was"
          + " interrupted, although the members still stop."
    })
public final class ShutdownCommand extends AdminCommand {
  private static final Duration POLL_INTERVAL = Duration.ofMillis(100);

  /** A connection can fail once although the member goes on. */
  private static final int FAILURES_OF_ENDED = 3;

  @Option(
      names = "--allow-missing",
      description =
          "Stop the others although members are down. The directory of a member that is down"
              + " cannot be used afterwards: a copy of another one takes its place.")
  private boolean isMissingAllowed;

  @Mixin private ConfirmOption confirmation;
  @Mixin private WaitOption wait;

  @Override
  int run(List<String> addresses) {
    List<String> failures = new ArrayList<>();
    Map<String, StatusResponse> answers = answers(addresses, failures);
    Agreement agreement = Agreement.of(List.copyOf(answers.values()));
    if (!agreement.isMajority()) {
      failures.add(0, agreement.text(addresses.size()));
      throw new CommandException(String.join("; ", failures));
    }
    if (addresses.size() < agreement.members()) {
      throw new CommandException(
          "nothing was stopped: give all %d members with -s, %d were given"
              .formatted(agreement.members(), addresses.size()));
    }
    Set<Integer> missing = missing(agreement);
    if (!missing.isEmpty() && !isMissingAllowed) {
      failures.add(
          0,
          ("nothing was stopped: members %s do not answer or do not follow the leader. Start them"
                  + " first, or add --allow-missing to go on without them")
              .formatted(missing));
      throw new CommandException(String.join("; ", failures));
    }
    String leader = leader(answers, agreement).getKey();
    if (!confirmation.isConfirmed()) {
      return refuse(
          confirmation,
          "This stops all members, and none starts again before `entroq set-members`. To restart or"
              + " pause the cluster, stop its processes with SIGTERM instead.",
          "stop them");
    }
    StopResponse stop = stop(leader);
    print(
        "The members stop at position %d: record %d, digests %016x and %016x."
            .formatted(
                stop.getPosition(),
                stop.getSequence(),
                stop.getHistoryDigest(),
                stop.getContentDigest()));
    if (!missing.isEmpty()) {
      print("Missing: members " + missing + ". Do not use their directories any more.");
    }
    return await(answers.keySet());
  }

  private static Set<Integer> missing(Agreement agreement) {
    Set<Integer> missing = new TreeSet<>();
    IntStream.range(0, agreement.members())
        .filter(id -> !agreement.following().contains(id))
        .forEach(missing::add);
    return missing;
  }

  private StopResponse stop(String leader) {
    try (AdminClient client = connect(leader)) {
      return client.stop(wait.timeout().toMillis());
    } catch (EntroQException.InvalidArgument | EntroQException.Unavailable e) {
      throw new CommandException(e.getMessage(), e);
    } catch (EntroQException.OutcomeUnknown e) {
      throw new CommandException(
          ("it is unknown where the members have stopped: %s. Once all have ended, run `entroq"
                  + " set-members --reopen` on each directory, start them, and try again")
              .formatted(e.getMessage()),
          e);
    }
  }

  /** Waits until the members have ended. */
  private int await(Set<String> addresses) {
    Map<String, Integer> running = new LinkedHashMap<>();
    addresses.forEach(address -> running.put(address, 0));
    int status =
        wait.await(
            POLL_INTERVAL,
            () -> {
              running.replaceAll((address, failures) -> isGone(address) ? failures + 1 : 0);
              running.values().removeIf(failures -> failures == FAILURES_OF_ENDED);
              return running.isEmpty();
            },
            () ->
                "not known to have ended after %s: %s. End these processes before you go on"
                    .formatted(wait.timeoutText(), String.join(", ", running.keySet())));
    if (running.isEmpty()) {
      // Only the directory of a member shows whether its last snapshot is complete.
      print("All have ended. Now run `entroq set-members` on the directory of each member.");
      print("For one that it refuses, use a copy of the directory of a member that it accepts.");
    }
    return status;
  }

  private boolean isGone(String address) {
    try (AdminClient client = connect(address)) {
      return client.isGone();
    }
  }
}
