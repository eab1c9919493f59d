package io.entroq.cluster.member;

import io.entroq.api.Insert;
import io.entroq.api.Modification;
import io.entroq.api.ModifyResult;
import io.entroq.api.QueueQuery;
import io.entroq.api.Task;
import io.entroq.api.Value;
import io.entroq.cluster.retention.Retention;
import io.entroq.cluster.retention.RetentionStats;
import io.entroq.engine.log.Forcer;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * A member with a process of its own. It does what the lines of its input say, and ends with it.
 */
final class MemberMain {
  /** Begins each answer. */
  static final String ANSWER = "> ";

  private static final int LOT = 500;
  private static final int IN_FLIGHT = 16;
  private static final int VALUE_BYTES = 200;
  private static final int SECONDS_MAX = 120;

  private final ClusterMember member;
  private final Gate images;

  private MemberMain(ClusterMember member, Gate images) {
    this.member = member;
    this.images = images;
  }

  /**
   * @param args member id, its directory, whether for the first time, seconds between snapshots,
   *     and the first ports of all members
   */
  public static void main(String[] args) throws Exception {
    // As members do that have a process of their own.
    ProcessPriority.raise();
    Gate images = new Gate();
    MemberConfig.Builder config =
        config(
                Integer.parseInt(args[0]),
                Path.of(args[1]),
                Arrays.asList(args).subList(4, args.length))
            .bootstrap(Boolean.parseBoolean(args[2]))
            .retention(
                new Retention(1L << 30, Duration.ofSeconds(Long.parseLong(args[3])), 4L << 30))
            .imageForcer(images);
    ClusterMember member = ClusterMember.start(config.build());
    answer("ready");
    new MemberMain(member, images).run();
    System.exit(0);
  }

  static MemberConfig.Builder config(int id, Path directory, List<String> ports) {
    List<MemberAddress> addresses =
        ports.stream().map(port -> MemberAddress.of("127.0.0.1", Integer.parseInt(port))).toList();
    return MemberConfig.of(id, addresses, directory);
  }

  private static void answer(Object answer) {
    System.out.println(ANSWER + answer);
  }

  private void run() throws Exception {
    BufferedReader lines =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String line = lines.readLine(); line != null; line = lines.readLine()) {
      String[] words = line.split(" ", -1);
      answer(perform(words[0], Arrays.stream(words).skip(1).mapToInt(Integer::parseInt).toArray()));
    }
  }

  private Object perform(String command, int[] numbers) throws Exception {
    switch (command) {
      case "status":
        return status();
      case "digest":
        return member.digest().get(SECONDS_MAX, TimeUnit.SECONDS);
      case "tasks":
        return member.queue().queues(QueueQuery.all()).getOrDefault("kept", 0L);
      case "insert":
        insert(numbers[0]);
        return "done";
      case "load":
        return load(TimeUnit.MILLISECONDS.toNanos(numbers[0]), numbers[1]);
      case "snapshot":
        Await.until("a snapshot is begun", member::takeSnapshot);
        return "done";
      case "hold":
        images.isClosed = true;
        return "done";
      case "holds":
        return images.isHolding;
      default:
        throw new IllegalArgumentException(command);
    }
  }

  private String status() {
    MemberStatus status = member.status();
    RetentionStats retention = member.retention();
    return String.join(
        " ",
        status.role(),
        status.election(),
        Long.toString(status.termId()),
        Long.toString(status.appliedSequence()),
        Long.toString(status.snapshots()),
        Long.toString(retention.snapshots().taken()),
        Long.toString(retention.snapshots().failed()),
        Long.toString(retention.snapshots().pauseMaxNs()));
  }

  private void insert(int tasks) throws Exception {
    for (int done = 0; done < tasks; done += LOT) {
      List<Insert> inserts = new ArrayList<>();
      for (int i = done; i < Math.min(tasks, done + LOT); i++) {
        inserts.add(insertInto("kept"));
      }
      await(member.queue().modifyAsync(Modification.insert(inserts)));
    }
  }

  private static Insert insertInto(String queue) {
    return Insert.into(queue).withValue(Value.bytes(new byte[VALUE_BYTES]));
  }

  private static ModifyResult.Committed await(CompletableFuture<ModifyResult> result)
      throws Exception {
    return result.get(SECONDS_MAX, TimeUnit.SECONDS).orThrow();
  }

  /**
   * Inserts and deletes tasks.
   *
   * @param perSecond commands at most; 0: as many as it can
   * @return the number of commands
   */
  private long load(long durationNs, int perSecond) throws Exception {
    ArrayDeque<CompletableFuture<ModifyResult>> inFlight = new ArrayDeque<>();
    long startNs = System.nanoTime();
    long commands = 0;
    while (System.nanoTime() - startNs < durationNs) {
      inFlight.add(member.queue().modifyAsync(Modification.insert(insertInto("churn"))));
      commands++;
      while (inFlight.size() >= IN_FLIGHT) {
        List<Task> inserted = await(inFlight.remove()).inserted();
        if (!inserted.isEmpty()) {
          inFlight.add(member.queue().modifyAsync(Modification.delete(inserted.get(0))));
          commands++;
        }
      }
      if (perSecond > 0) {
        long dueNs = commands * TimeUnit.SECONDS.toNanos(1) / perSecond;
        LockSupport.parkNanos(dueNs - (System.nanoTime() - startNs));
      }
    }
    while (!inFlight.isEmpty()) {
      await(inFlight.remove());
    }
    return commands;
  }

  /** Once closed, images do not become complete. */
  private static final class Gate implements Forcer {
    private volatile boolean isClosed;
    private volatile boolean isHolding;

    @Override
    public void force(String what, Action action) throws IOException {
      // The index is forced before the reference is recorded, and must be.
      while (isClosed && what.contains("snapshot-")) {
        isHolding = true;
        LockSupport.park();
      }
      action.run();
    }
  }
}
