package io.entroq.system.scenario;

import io.entroq.system.member.Cluster;
import io.entroq.system.member.NetworkNamespaces;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/** Faults of some kinds at the same time, and their end. For one use and one thread. */
final class FaultRound {
  private static final double LOSS = 0.05;
  private static final Duration HOUR = Duration.ofHours(1);
  private static final Duration SHORT = Duration.ofSeconds(5);

  /** For the disk to matter. */
  private static final Duration FULL_MIN = Duration.ofSeconds(8);

  /** One in so many stops is longer than a process may stall. */
  private static final int LONG_STOPS = 6;

  private interface Step {
    void run() throws Exception;
  }

  private final FaultContext context;
  private final Cluster cluster;
  private final NetworkNamespaces network;
  private final SmallDisks disks;
  private final int leader;
  private final List<String> notes = new ArrayList<>();

  /** Ends of faults, the last one first. */
  private final Deque<Step> ends = new ArrayDeque<>();

  /** What takes a cluster without faults. */
  private final List<Step> repairs = new ArrayList<>();

  private Duration length;
  private int damaged = -1;

  FaultRound(FaultContext context, NetworkNamespaces network, SmallDisks disks) throws Exception {
    this.context = context;
    this.network = network;
    this.disks = disks;
    cluster = context.cluster();
    leader = context.leader();
    length = Duration.ofMillis(300).plus(context.upTo(SHORT));
  }

  /** Begins faults of these kinds. */
  void begin(Set<FaultKind> kinds) throws Exception {
    for (FaultKind kind : new TreeSet<>(kinds)) {
      kind.begin.begin(this);
    }
    context.note(String.join("; ", notes) + ", for " + length.toMillis() + " ms");
  }

  /** Ends all of them, after a while. */
  void end() throws Exception {
    context.work(length);
    for (Step end : ends) {
      end.run();
    }
    for (Step repair : repairs) {
      repair.run();
    }
    context.settle();
  }

  private void begun(String what, Step end) {
    notes.add(what);
    ends.push(end);
  }

  /** The leader or another member, each half of the time. */
  private int victim() {
    int[] others = cluster.others(leader);
    int id = context.random().nextBoolean() ? leader : others[context.random().nextInt(2)];
    return id == damaged ? others[others[0] == damaged ? 1 : 0] : id;
  }

  private String name(int id) {
    return (id == leader ? "leader " : "follower ") + id;
  }

  void lose() throws Exception {
    cluster.lose(LOSS);
    begun("all lose some", cluster::heal);
  }

  /** It is wrong by up to an hour; log time follows by a tenth of what passes. */
  void setClock() throws Exception {
    int id = victim();
    Duration by = context.upTo(HOUR);
    Duration ahead = context.random().nextBoolean() ? by : by.negated();
    cluster.setClock(id, ahead);
    // If it was killed, the next process has the right one.
    begun(
        "the clock of %s is %d s ahead".formatted(name(id), ahead.toSeconds()),
        () -> cluster.setClock(id, Duration.ZERO));
  }

  void fillDisk() throws Exception {
    int id = victim();
    SmallDisk disk = disks.of(id);
    mayEnd(id);
    long usedKb = disk.fill();
    atLeast(FULL_MIN);
    begun("the disk of %s is full at %,d KiB".formatted(name(id), usedKb), disk::free);
  }

  /** Isolates a member in both directions or one, or cuts the leader off from one follower. */
  void cut() throws Exception {
    boolean isBridge = context.random().nextInt(3) == 0;
    boolean isOneWay = context.random().nextInt(3) == 0;
    int id = isBridge ? leader : victim();
    int[] others = cluster.others(id);
    int[] from = isBridge ? new int[] {others[context.random().nextInt(2)]} : others;
    for (int other : from) {
      network.cut(id, other);
      if (!isOneWay) {
        network.cut(other, id);
      }
    }
    begun(
        "%s %s %s"
            .formatted(
                name(id), isOneWay ? "cannot send to" : "is cut off from", Arrays.toString(from)),
        network::heal);
  }

  void kill() throws Exception {
    List<Integer> alive = new ArrayList<>(alive());
    Collections.rotate(alive, -alive.indexOf(victim()));
    // Mostly one; sometimes a majority or all.
    int count = Math.max(1, context.random().nextInt(6) - 2);
    List<Integer> killed = alive.subList(0, Math.min(count, alive.size()));
    for (int id : killed) {
      cluster.kill(id);
    }
    begun(
        (killed.contains(leader) ? "leader " + leader + " of " : "") + killed + " killed",
        () -> {
          for (int id : killed) {
            cluster.start(id);
          }
        });
  }

  private List<Integer> alive() {
    return Arrays.stream(cluster.ids()).filter(cluster::isAlive).boxed().toList();
  }

  void stop() {
    List<Integer> alive = alive();
    if (alive.isEmpty()) {
      notes.add("nobody is left to stop");
      return;
    }
    int wanted = victim();
    int id = alive.contains(wanted) ? wanted : alive.get(0);
    if (context.random().nextInt(LONG_STOPS) == 0) {
      mayEnd(id);
      atLeast(cluster.config().processTimeout().plusSeconds(3));
    }
    cluster.freeze(id);
    begun(name(id) + " is stopped", cluster::thaw);
  }

  /** If the member ends, it may do so a little later. */
  private void mayEnd(int id) {
    cluster.mayEnd(id);
    repairs.add(() -> cluster.awaitEndOrProgress(id));
  }

  private void atLeast(Duration time) {
    length = length.compareTo(time) < 0 ? time : length;
  }

  /** The member is down until the end. */
  void damage() throws Exception {
    damaged = victim();
    int id = damaged;
    cluster.kill(id);
    Path directory = cluster.directory(id);
    List<RecordedFrame> log = RecordedFrame.ofLog(directory);
    int choice = context.random().nextInt(5);
    if (choice == 0 || (choice == 1 && log.size() < 2)) {
      notes.add(name(id) + " loses its disk");
      repairs.add(() -> cluster.replace(id));
    } else if (choice == 1) {
      notes.add("the log of " + name(id) + " is damaged");
      // The last frames may not be committed, and need not be read then.
      DiskFaults.flip(context, log.subList(0, log.size() / 2));
      repairs.add(() -> replaceDamaged(id));
    } else {
      notes.add("the newest snapshot of " + name(id) + " is damaged");
      flipSnapshot(directory, choice);
      repairs.add(() -> startWithPrevious(id));
    }
  }

  private void replaceDamaged(int id) throws Exception {
    DiskFaults.requireEnd(context, id, "the log of member " + id + " is damaged");
    cluster.replace(id);
  }

  /** In either half, or in the image that it refers to. */
  private void flipSnapshot(Path directory, int choice) throws Exception {
    if (choice == 2) {
      DiskFaults.flip(context, RecordedFrame.ofSnapshot(directory, RecordedFrame.OF_MODULE));
    } else if (choice == 3) {
      DiskFaults.flip(context, RecordedFrame.ofSnapshot(directory, RecordedFrame.OF_STATE));
    } else {
      try (Stream<Path> files = Files.walk(directory.resolve("images"))) {
        Path state =
            files
                .filter(file -> file.endsWith("state"))
                .max(Comparator.naturalOrder())
                .orElseThrow();
        DiskFaults.flip(context, state, context.random().nextInt((int) Files.size(state)));
      }
    }
  }

  /** It ends once if it reads what is damaged, which may be an image that was not complete yet. */
  private void startWithPrevious(int id) throws Exception {
    long start = Files.size(cluster.log(id));
    cluster.start(id);
    cluster.mayEnd(id);
    if (cluster.awaitEndOrProgress(id)) {
      context.note("member " + id + " goes on without what is damaged");
      return;
    }
    DiskFaults.requireOutput(context, id, start, "damaged");
    cluster.start(id);
    cluster.mayEnd(id);
    if (cluster.awaitEndOrProgress(id)) {
      context.note("member " + id + " goes on with the snapshot before the damaged one");
    } else {
      DiskFaults.requireOutput(context, id, start, "If there is none, replace the member");
      context.note("member " + id + " has no snapshot before the damaged one, and is replaced");
      cluster.replace(id);
    }
  }
}
