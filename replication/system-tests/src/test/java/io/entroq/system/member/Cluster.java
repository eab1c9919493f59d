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

/** Three members in processes of their own, and what may be done to them. For one thread. */
public final class Cluster implements AutoCloseable {
  /** How many members there are. */
  public static final int MEMBERS = 3;

  /** Length of the files in which members keep log and snapshots, where they are trimmed. */
  public static final int TRIMMED_FILE_BYTES = 128 << 10;

  private static final Duration START_MAX = Duration.ofMinutes(2);
  private static final Duration PATIENCE = Duration.ofMinutes(5);

  /** More than a member takes to find out that it cannot go on, and to end. */
  private static final Duration EXPLAINED = Duration.ofMinutes(3);

  private static final Path MEMORY = Path.of("/dev/shm");
  private static final List<String> OWN_ENDPOINTS =
      List.of(
          "-Daeron.SendChannelEndpoint.supplier=" + SendingEndpoints.class.getName(),
          "-Daeron.ReceiveChannelEndpoint.supplier=" + ReceivingEndpoints.class.getName());

  private final ClusterConfig config;
  private final List<Place> places;
  private final MemberProcess[] members = new MemberProcess[MEMBERS];

  /** Those that cannot come back, as what they had is gone. */
  private final Set<Integer> given = new HashSet<>();

  /** What members have done by themselves, and should not have. */
  private final List<String> unexplained = new ArrayList<>();

  private final List<AutoCloseable> frozen = new ArrayList<>();
  private final Path drivers;
  private final AtExit end = AtExit.run(this::end);

  private Cluster(ClusterConfig config, List<Place> places) throws IOException {
    this.config = config;
    this.places = places;
    Path parent = Files.isWritable(MEMORY) ? MEMORY : config.directory();
    drivers = Files.createTempDirectory(parent, "entroq-system-");
  }

  /** Starts members for the first time and waits until one leads. */
  public static Cluster bootstrap(ClusterConfig config) throws Exception {
    return bootstrap(config, places());
  }

  /** Where members may be on this machine. */
  static List<Place> places() {
    return IntStream.range(0, MEMBERS).mapToObj(Cluster::place).toList();
  }

  /** On an address of the loopback interface of its own. */
  private static Place place(int id) {
    String host = "127.0.0." + (id + 2);
    int first = new UnusedPorts(host).take(MemberAddress.PORTS + 1);
    return new Place(host, first, first + MemberAddress.PORTS, List.of());
  }

  /** The same in given places. */
  public static Cluster bootstrap(ClusterConfig config, List<Place> places) throws Exception {
    Cluster cluster = new Cluster(config, places);
    try {
      for (int id = 0; id < MEMBERS; id++) {
        cluster.launch(id, true);
      }
      cluster.awaitLeader();
      return cluster;
    } catch (Throwable t) {
      Closing.after(t, cluster);
      throw t;
    }
  }

  private void launch(int id, boolean isFirst) throws IOException {
    List<String> args = new ArrayList<>();
    args.add(Integer.toString(id));
    args.add(directory(id).toString());
    args.add(Boolean.toString(isFirst));
    args.add(config.durability().name());
    args.add(Long.toString(config.heartbeatTimeout().toMillis()));
    args.add(Long.toString(config.processTimeout().toMillis()));
    args.add(Long.toString(config.clockSpread().toMillis() * id));
    args.add(Integer.toString(places.get(id).serverPort()));
    args.add(drivers.resolve("driver-" + id).toString());
    args.add(Boolean.toString(config.isTrimmed()));
    places.forEach(place -> args.add(place.member()));
    List<String> command = new ArrayList<>(places.get(id).launcher());
    command.addAll(Java.command(OWN_ENDPOINTS, MemberMain.class, args.toArray(String[]::new)));
    members[id] = MemberProcess.start(id, command, log(id));
  }

  /** How it was set up. */
  public ClusterConfig config() {
    return config;
  }

  /** Where a member keeps what it has. */
  public Path directory(int id) {
    return config.directory().resolve("member-" + id);
  }

  /** What a member has to say. */
  public Path log(int id) {
    return config.directory().resolve("member-" + id + ".log");
  }

  /** Where callers ask, one for each member. */
  public List<String> servers() {
    return places.stream().map(Place::server).toList();
  }

  // Processes.

  /** SIGKILL. */
  public void kill(int id) {
    members[id].kill();
    look(id);
  }

  /** Starts one that is down; it need not serve yet. */
  public void start(int id) throws IOException {
    if (!members[id].isAlive() && !given.contains(id)) {
      look(id);
      launch(id, false);
    }
  }

  /** Starts all that are down, and waits until they serve. */
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

  /** Starts one that is down and waits whether it serves; it need not. */
  public boolean tryStart(int id) throws Exception {
    start(id);
    boolean isServing = members[id].awaitServing(START_MAX);
    if (!isServing) {
      mayEnd(id);
    }
    return isServing;
  }

  /**
   * Says that a member may end by itself from now on, for some minutes, because of what has been
   * done to it. When it is started again it may not any more.
   */
  public void mayEnd(int id) {
    members[id].mayEnd(EXPLAINED);
  }

  /**
   * What members have done since they were asked last that nothing explains: they have ended
   * without being killed or allowed to, or found that their states differ.
   */
  public List<String> unexplained() {
    for (int id : ids()) {
      look(id);
    }
    List<String> found = List.copyOf(unexplained);
    unexplained.clear();
    return found;
  }

  private void look(int id) {
    members[id].unexplained().ifPresent(unexplained::add);
  }

  /** As a member that cannot go on. */
  public void end(int id) throws InterruptedException {
    members[id].ask("end");
  }

  /** What it ended with, if it ends in time, which is what whoever waits for it expects. */
  public Optional<Integer> awaitEnd(int id, Duration bound) throws InterruptedException {
    mayEnd(id);
    return members[id].awaitEnd(bound);
  }

  /** Goes on without a member for good, however it has ended. */
  public void giveUp(int id) {
    mayEnd(id);
    kill(id);
    given.add(id);
  }

  /** Whether a process runs. */
  public boolean isAlive(int id) {
    return members[id].isAlive();
  }

  /** SIGSTOP, until {@link #thaw}. */
  public void freeze(int id) {
    frozen.add(members[id].freeze());
  }

  /** SIGCONT for all. */
  public void thaw() {
    List<AutoCloseable> all = List.copyOf(frozen);
    frozen.clear();
    Closing.all(all.toArray(AutoCloseable[]::new));
  }

  // The network.

  /** Lets a member hear all others but these. */
  public void deafen(int id, int... to) throws InterruptedException {
    StringBuilder question = new StringBuilder("cut");
    for (int other : to) {
      question.append(' ').append(places.get(other).host());
    }
    members[id].ask(question.toString());
  }

  /** Cuts a member from all others, both ways. */
  public void isolate(int id) throws InterruptedException {
    int[] others = others(id);
    deafen(id, others);
    for (int other : others) {
      deafen(other, id);
    }
  }

  /** Loses a part of all that is sent. */
  public void lose(double part) throws InterruptedException {
    askAll("lose " + part);
  }

  /** Lets everything through again. */
  public void heal() throws InterruptedException {
    askAll("cut");
    askAll("lose 0");
  }

  // What members know.

  /** Sets how far the wall clock of a member is ahead. */
  public void setClock(int id, Duration ahead) throws InterruptedException {
    members[id].ask("clock " + ahead.toMillis());
  }

  /** Asks whoever leads for a snapshot of all. */
  public void snapshot() throws InterruptedException {
    askAll("snapshot");
  }

  /** How many snapshots a member has taken since it started. */
  public long snapshots(int id) throws InterruptedException {
    return members[id]
        .ask("status")
        .map(status -> Long.parseLong(status.split(" ", -1)[3]))
        .orElse(0L);
  }

  /**
   * Waits until a member has ended, or has applied what any other had when this was asked.
   *
   * @return whether it goes on
   */
  public boolean awaitEndOrProgress(int id) throws InterruptedException {
    long least = 0;
    for (int other : others(id)) {
      least = Math.max(least, applied(other));
    }
    long endNs = System.nanoTime() + PATIENCE.toNanos();
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
        "member " + id + " neither goes on nor ends within " + PATIENCE + ": see " + log(id));
  }

  private long applied(int id) throws InterruptedException {
    return members[id]
        .ask("status")
        .map(status -> Long.parseLong(status.split(" ", -1)[2]))
        .orElse(-1L);
  }

  /** In which term of leadership the members are, while all is well; negative: none is known. */
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

  /** What a member keeps; empty if it does not say. */
  public Optional<Kept> kept(int id) throws InterruptedException {
    return members[id].ask("kept").map(Kept::read);
  }

  private void askAll(String question) throws InterruptedException {
    for (int id : ids()) {
      if (members[id].isAlive()) {
        members[id].ask(question);
      }
    }
  }

  /** All that have not been given up. */
  public int[] ids() {
    return IntStream.range(0, MEMBERS).filter(id -> !given.contains(id)).toArray();
  }

  /**
   * Whether members let go of log that none of them needs. While one is away all is kept that it
   * may lack.
   */
  public boolean isTrimmed() {
    return config.isTrimmed() && given.isEmpty();
  }

  /** All others that have not been given up. */
  public int[] others(int id) {
    return IntStream.of(ids()).filter(other -> other != id).toArray();
  }

  /**
   * Waits until one leads and all others follow it. Whoever has ended by itself is started again,
   * as a supervisor would; {@link #unexplained} tells of it.
   */
  public int awaitLeader() throws InterruptedException, IOException {
    long endNs = System.nanoTime() + PATIENCE.toNanos();
    String found = "";
    while (System.nanoTime() - endNs < 0) {
      List<String> states = new ArrayList<>();
      int leader = -1;
      for (int id : ids()) {
        start(id);
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
    throw new IllegalStateException(
        "no leader that all follow within " + PATIENCE + ", but " + found);
  }

  /** Waits until all members have the same state; which. */
  public StateDigest awaitAgreement() throws InterruptedException {
    long endNs = System.nanoTime() + PATIENCE.toNanos();
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

  /** Kills all; nothing of them stays but their directories. */
  public void killAll() {
    for (MemberProcess member : members) {
      if (member != null) {
        member.close();
      }
    }
  }

  /** Kills all, and removes what lay in memory. */
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
