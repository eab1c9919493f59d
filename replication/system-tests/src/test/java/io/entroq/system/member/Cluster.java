package io.entroq.system.member;

import io.entroq.cluster.member.MemberAddress;
import io.entroq.cluster.member.UnusedPorts;
import io.entroq.cluster.service.StateDigest;
import io.entroq.engine.Closing;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Three members in processes of their own, and faults to inject. For one thread. */
public final class Cluster implements AutoCloseable {
  public static final int MEMBERS = 3;

  /** Length of log and snapshot files if the cluster is trimmed. */
  public static final int TRIMMED_FILE_BYTES = 128 << 10;

  /** In what {@link #unexplained} says of a member that stalled for longer than it may. */
  public static final String AFTER_STALL = " after a stall";

  private static final Duration START_MAX = Duration.ofMinutes(2);
  private static final Duration LIMIT = Duration.ofMinutes(5);

  /** How long a fault may explain the end of a member. */
  private static final Duration EXPLAINED = Duration.ofMinutes(3);

  private static final Path MEMORY = Path.of("/dev/shm");
  private static final List<String> OWN_ENDPOINTS =
      List.of(
          "-Daeron.SendChannelEndpoint.supplier=" + FilteredSendEndpoints.class.getName(),
          "-Daeron.ReceiveChannelEndpoint.supplier=" + FilteredReceiveEndpoints.class.getName());

  private final ClusterConfig config;
  private final List<MemberLocation> locations;
  private final MemberProcess[] members = new MemberProcess[MEMBERS];

  /** Members whose data is lost, which cannot return. */
  private final Set<Integer> abandoned = new HashSet<>();

  /** Ends and divergences that no fault explains. */
  private final List<String> unexplained = new ArrayList<>();

  private final List<AutoCloseable> frozen = new ArrayList<>();
  private final Path drivers;
  private final ExitHook end = ExitHook.run(this::end);

  private Cluster(ClusterConfig config, List<MemberLocation> locations) throws IOException {
    this.config = config;
    this.locations = locations;
    Path parent = Files.isWritable(MEMORY) ? MEMORY : config.directory();
    drivers = Files.createTempDirectory(parent, "entroq-system-");
  }

  /** Starts a new cluster and waits for a leader. */
  public static Cluster bootstrap(ClusterConfig config) throws Exception {
    return bootstrap(config, locations());
  }

  /** Locations on this machine. */
  static List<MemberLocation> locations() {
    return IntStream.range(0, MEMBERS).mapToObj(Cluster::location).toList();
  }

  /** On a loopback address of its own. */
  private static MemberLocation location(int id) {
    String host = "127.0.0." + (id + 2);
    int first = new UnusedPorts(host).take(MemberAddress.PORTS + 2);
    return new MemberLocation(host, first, first + MemberAddress.PORTS, List.of());
  }

  /** Starts a new cluster at these locations. */
  public static Cluster bootstrap(ClusterConfig config, List<MemberLocation> locations)
      throws Exception {
    Cluster cluster = new Cluster(config, locations);
    try {
      for (int id = 0; id < MEMBERS; id++) {
        cluster.launch(id, StartMode.FIRST);
      }
      cluster.awaitLeader();
      return cluster;
    } catch (Throwable t) {
      Closing.after(t, cluster);
      throw t;
    }
  }

  private void launch(int id, StartMode mode) throws IOException {
    List<String> args = new ArrayList<>();
    args.add(Integer.toString(id));
    args.add(directory(id).toString());
    args.add(mode.text());
    args.add(config.durability().name());
    args.add(Long.toString(config.heartbeatTimeout().toMillis()));
    args.add(Long.toString(config.processTimeout().toMillis()));
    args.add(Long.toString(config.clockSpread().toMillis() * id));
    args.add(Integer.toString(locations.get(id).serverPort()));
    args.add(drivers.resolve("driver-" + id).toString());
    args.add(Boolean.toString(config.isTrimmed()));
    locations.forEach(location -> args.add(location.member()));
    List<String> command = new ArrayList<>(locations.get(id).launcher());
    command.addAll(
        JavaCommand.command(OWN_ENDPOINTS, MemberMain.class, args.toArray(String[]::new)));
    members[id] = MemberProcess.start(id, command, log(id));
  }

  public ClusterConfig config() {
    return config;
  }

  public Path directory(int id) {
    return config.directory().resolve("member-" + id);
  }

  public Path log(int id) {
    return config.directory().resolve("member-" + id + ".log");
  }

  /** As {@link #servers}, for callers that use HTTP. */
  public List<String> httpServers() {
    return locations.stream().map(MemberLocation::httpServer).toList();
  }

  /** The servers, one for each member. */
  public List<String> servers() {
    return locations.stream().map(MemberLocation::server).toList();
  }

  // Processes.

  /** SIGKILL. */
  public void kill(int id) {
    members[id].kill();
    check(id);
  }

  /** Starts a stopped member; does not wait until it serves. */
  public void start(int id) throws IOException {
    if (!members[id].isAlive() && !abandoned.contains(id)) {
      check(id);
      launch(id, StartMode.AGAIN);
    }
  }

  /** Starts all stopped members, and waits until they serve. */
  public void startAll() throws Exception {
    for (int id = 0; id < MEMBERS; id++) {
      start(id);
    }
    for (int id : ids()) {
      if (!members[id].awaitServing(START_MAX)) {
        throw new IllegalStateException("member " + id + " does not serve: see " + log(id));
      }
    }
  }

  /** Starts members that ended by themselves, as a supervisor would; see {@link #unexplained}. */
  public void restartEnded() throws IOException {
    for (int id : ids()) {
      start(id);
    }
  }

  /** Starts a stopped member; returns whether it serves. */
  public boolean tryStart(int id) throws Exception {
    start(id);
    boolean isServing = members[id].awaitServing(START_MAX);
    if (!isServing) {
      mayEnd(id);
    }
    return isServing;
  }

  /** Allows a member to end by itself for some minutes. A restart revokes this. */
  public void mayEnd(int id) {
    members[id].mayEnd(EXPLAINED);
  }

  /**
   * Returns what members did since the last call that no fault explains: they ended without a kill
   * or permission, or detected a divergence.
   */
  public List<String> unexplained() {
    for (int id : ids()) {
      check(id);
    }
    List<String> found = List.copyOf(unexplained);
    unexplained.clear();
    return found;
  }

  private void check(int id) {
    members[id].unexplained().ifPresent(unexplained::add);
  }

  /** Makes a member end as if it could not continue. */
  public void end(int id) throws InterruptedException {
    members[id].ask("end");
  }

  /** Waits until a member ends; returns its exit code, or empty after the limit. */
  public Optional<Integer> awaitEnd(int id, Duration bound) throws InterruptedException {
    mayEnd(id);
    return members[id].awaitEnd(bound);
  }

  /** Continues without a member for good. */
  public void abandon(int id) {
    mayEnd(id);
    kill(id);
    abandoned.add(id);
  }

  /** Loses all data of a member, and starts it with a copy from the others. */
  public void replace(int id) throws Exception {
    abandon(id);
    int leader = awaitLeader();
    String source =
        members[leader]
            .ask("source")
            .orElseThrow(() -> new IllegalStateException("member " + leader + " tells nothing"));
    try (Stream<Path> files = Files.walk(directory(id))) {
      // The directory itself may be where a disk is mounted.
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        if (!file.equals(directory(id))) {
          Files.delete(file);
        }
      }
    }
    abandoned.remove(id);
    launch(id, StartMode.read(source));
  }

  public boolean isAlive(int id) {
    return members[id].isAlive();
  }

  /** SIGSTOP, until {@link #thaw}. */
  public void freeze(int id) {
    frozen.add(members[id].freeze());
  }

  /** Sends SIGCONT to all. */
  public void thaw() {
    List<AutoCloseable> all = List.copyOf(frozen);
    frozen.clear();
    Closing.all(all.toArray(AutoCloseable[]::new));
  }

  // The network.

  /** Drops all packets from these members. */
  public void deafen(int id, int... to) throws InterruptedException {
    StringBuilder command = new StringBuilder("cut");
    for (int other : to) {
      command.append(' ').append(locations.get(other).host());
    }
    members[id].ask(command.toString());
  }

  /** Isolates a member in both directions. */
  public void isolate(int id) throws InterruptedException {
    int[] others = others(id);
    deafen(id, others);
    for (int other : others) {
      deafen(other, id);
    }
  }

  /** Drops a fraction of all packets. */
  public void lose(double part) throws InterruptedException {
    askAll("lose " + part);
  }

  /** Stops dropping packets. */
  public void heal() throws InterruptedException {
    askAll("cut");
    askAll("lose 0");
  }

  // The state of members.

  /** Moves a member's wall clock ahead. */
  public void setClock(int id, Duration ahead) throws InterruptedException {
    members[id].ask("clock " + ahead.toMillis());
  }

  /** Requests a snapshot from the leader. */
  public void snapshot() throws InterruptedException {
    askAll("snapshot");
  }

  /** The snapshots that a member has taken since its start. */
  public long snapshots(int id) throws InterruptedException {
    return members[id]
        .ask("status")
        .map(status -> Long.parseLong(status.split(" ", -1)[3]))
        .orElse(0L);
  }

  /**
   * Waits until a member ends, or has applied what any other had at the call.
   *
   * @return whether it is running
   */
  public boolean awaitEndOrProgress(int id) throws InterruptedException {
    long least = 0;
    for (int other : others(id)) {
      least = Math.max(least, applied(other));
    }
    long endNs = System.nanoTime() + LIMIT.toNanos();
    while (System.nanoTime() - endNs < 0) {
      if (!isAlive(id)) {
        return false;
      }
      if (applied(id) >= least) {
        return true;
      }
      LockSupport.parkNanos(100_000_000);
    }
    throw new IllegalStateException(
        "member " + id + " neither continues nor ends within " + LIMIT + ": see " + log(id));
  }

  private long applied(int id) throws InterruptedException {
    return members[id]
        .ask("status")
        .map(status -> Long.parseLong(status.split(" ", -1)[2]))
        .orElse(-1L);
  }

  /** The leadership term; negative if no member reports it. */
  public long term() throws InterruptedException {
    long term = -1;
    for (int id : ids()) {
      Optional<String> status = members[id].ask("status");
      if (status.isPresent()) {
        term = Math.max(term, Long.parseLong(status.get().split(" ", -1)[4]));
      }
    }
    return term;
  }

  /** The data that a member retains; empty without an answer. */
  public Optional<RetainedData> retained(int id) throws InterruptedException {
    return members[id].ask("kept").map(RetainedData::read);
  }

  private void askAll(String command) throws InterruptedException {
    for (int id : ids()) {
      if (members[id].isAlive()) {
        members[id].ask(command);
      }
    }
  }

  /** All members that are not abandoned. */
  public int[] ids() {
    return IntStream.range(0, MEMBERS).filter(id -> !abandoned.contains(id)).toArray();
  }

  /** Whether members trim their log. While one is missing they keep all that it may need. */
  public boolean isTrimmed() {
    return config.isTrimmed() && abandoned.isEmpty();
  }

  /** All other members that are not abandoned. */
  public int[] others(int id) {
    return IntStream.of(ids()).filter(other -> other != id).toArray();
  }

  /**
   * Waits until one member leads and all others follow it. Restarts members that ended by
   * themselves, as a supervisor would; {@link #unexplained} reports them.
   */
  public int awaitLeader() throws InterruptedException, IOException {
    long endNs = System.nanoTime() + LIMIT.toNanos();
    String found = "";
    while (System.nanoTime() - endNs < 0) {
      List<String> states = new ArrayList<>();
      int leader = -1;
      restartEnded();
      for (int id : ids()) {
        String state = members[id].ask("status").orElse("SILENT");
        states.add(state);
        leader = state.startsWith("LEADER CLOSED") ? id : leader;
      }
      boolean isQuiet =
          states.stream().filter(state -> state.startsWith("LEADER CLOSED")).count() == 1
              && states.stream().filter(state -> state.startsWith("FOLLOWER CLOSED")).count()
                  == states.size() - 1;
      if (isQuiet) {
        return leader;
      }
      found = states.toString();
      LockSupport.parkNanos(50_000_000);
    }
    throw new IllegalStateException("no leader of all members within " + LIMIT + ": " + found);
  }

  /** Waits until all members have the same state, and returns its digest. */
  public StateDigest awaitAgreement() throws InterruptedException {
    long endNs = System.nanoTime() + LIMIT.toNanos();
    Set<String> digests = Set.of();
    while (System.nanoTime() - endNs < 0) {
      digests = new HashSet<>();
      for (int id : ids()) {
        digests.add(members[id].ask("digest").orElse("none of " + id));
      }
      if (digests.size() == 1) {
        return digest(digests.iterator().next());
      }
      LockSupport.parkNanos(100_000_000);
    }
    throw new IllegalStateException("the members' states differ: " + digests);
  }

  private static StateDigest digest(String text) {
    String[] words = text.split(" ", -1);
    return new StateDigest(
        Long.parseLong(words[0]), Long.parseLong(words[1]), Long.parseLong(words[2]));
  }

  /** Kills all members; their directories stay. */
  public void killAll() {
    for (MemberProcess member : members) {
      if (member != null) {
        member.close();
      }
    }
  }

  /** Kills all members, and removes their files in memory. */
  @Override
  public void close() {
    end.close();
  }

  private void end() {
    Closing.all(this::thaw, this::killAll, this::removeDrivers);
  }

  private void removeDrivers() {
    try (Stream<Path> files = Files.walk(drivers)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
