package io.entroq.server.cli.admin;

import io.entroq.api.EntroQException;
import io.entroq.client.AdminClient;
import io.entroq.codec.wire.published.admin.StatusResponse;
import io.entroq.server.cli.queue.options.DurationConverter;
import io.entroq.server.terminal.CommandException;
import io.entroq.server.terminal.Interruption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The {@code snapshot} command. */
@Command(
    name = "snapshot",
    header = "Has all members of a cluster take a snapshot now.",
    description = {
      "",
      "Asks the members that are named until it finds the one that leads, and waits until that one has"
          + " taken the snapshot; the others take it at the same place of the log. Meanwhile"
          + " commands wait, for as long as it takes.",
      "",
      "Where an authorizer decides, the token has to allow everything on all queues and namespaces.",
      ""
    },
    footer = {
      "",
      "Examples:",
      "  entroq snapshot -s a:37706,b:37706,c:37706",
      "",
      "Exit status: 0 if the snapshot is there; 1 if it is not, or nobody who was asked leads; 2 if"
          + " the command line is wrong; 130 if it was interrupted: it is taken all the same."
    })
public final class SnapshotCommand extends AdminCommand {
  private static final Duration LOOK_INTERVAL = Duration.ofMillis(50);

  @Option(
      names = "--timeout",
      paramLabel = "TIME",
      converter = DurationConverter.class,
      defaultValue = "10m",
      description = "How long to wait for it: " + DurationConverter.FORMS + ". Default: 10m.")
  private Duration timeout;

  /** With the options that it will be given. */
  public SnapshotCommand() {}

  @Override
  int run(List<String> addresses) {
    List<String> refusals = new ArrayList<>();
    for (String address : addresses) {
      try (AdminClient client = connect(address);
          Interruption interruption = new Interruption("command")) {
        return take(client, interruption);
      } catch (EntroQException.InvalidArgument | EntroQException.Unavailable e) {
        refusals.add(e.getMessage());
      }
    }
    throw new CommandException(String.join("; ", refusals));
  }

  private int take(AdminClient client, Interruption interruption) {
    long beginNs = System.nanoTime();
    long positionBefore = client.status().getSnapshot().getPosition();
    long before = client.takeSnapshot().getSnapshots();
    StatusResponse status = client.status();
    // What is known of it comes a moment after it is there.
    while (status.getSnapshots() <= before
        || status.getSnapshot().getPosition() <= positionBefore) {
      if (System.nanoTime() - beginNs > timeout.toNanos()) {
        throw new CommandException(
            "the snapshot was not there after %s; the log of member %d says why if it has failed"
                .formatted(timeout, status.getMemberId()));
      }
      interruption.pause(LOOK_INTERVAL);
      if (interruption.isRequested()) {
        return Interruption.STATUS;
      }
      status = client.status();
    }
    print(
        "Member %d has a snapshot after %,d ms: %s."
            .formatted(
                status.getMemberId(),
                (System.nanoTime() - beginNs) / 1_000_000,
                StatusText.snapshot(status)));
    return STATUS_OK;
  }
}
