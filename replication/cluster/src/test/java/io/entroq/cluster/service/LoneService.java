package io.entroq.cluster.service;

import io.aeron.Image;
import io.aeron.cluster.codecs.CloseReason;
import io.aeron.cluster.service.ClientSession;
import io.aeron.logbuffer.Header;
import io.entroq.cluster.image.ImageStore;
import io.entroq.cluster.level.LevelRange;
import io.entroq.cluster.level.LevelSurvey;
import io.entroq.cluster.mirror.Mirror;
import io.entroq.engine.embedded.EmbeddedConfig;
import io.entroq.engine.log.Forcer;
import io.entroq.engine.replica.ReplicatedEngine;
import io.entroq.engine.state.StateMachine;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * A member's service without processes and network. The test provides the log; proposals come out
 * of it at once. For one thread.
 */
final class LoneService implements AutoCloseable {
  static final long TERM = 3;

  private static final Path NOWHERE = Path.of("no-such-directory");

  final ReplicatedEngine engine =
      new ReplicatedEngine(
          EmbeddedConfig.inMemory().build(), System::currentTimeMillis, Duration.ofMinutes(10));
  final FakeCluster cluster = new FakeCluster();
  final SnapshotReports reports = new SnapshotReports(0, 3, found -> {});

  /** The mirror's methods called, in order. */
  final List<String> mirrored = new ArrayList<>();

  /** Number of answers about supported levels. */
  int levelsSaid;

  /** Leaders that leave. */
  final List<Integer> leaving = new ArrayList<>();

  /** States with whose snapshot the service has stopped; empty ones without. */
  final List<Optional<StateDigest>> stops = new ArrayList<>();

  final QueueService service;
  long nowMs = System.currentTimeMillis();

  /** Accepts any wall clock. */
  LoneService(StateMachine seed) {
    this(seed, anyClock(), ImageStore.open(NOWHERE, Forcer.DISK));
  }

  /** Has images. */
  LoneService(ImageStore images) {
    this(null, anyClock(), images);
  }

  /** Checks a wall clock while it starts. */
  LoneService(LongSupplier wallMs) {
    this(null, new StartupClockCheck(wallMs, false), ImageStore.open(NOWHERE, Forcer.DISK));
  }

  private static StartupClockCheck anyClock() {
    return new StartupClockCheck(System::currentTimeMillis, true);
  }

  private LoneService(StateMachine seed, StartupClockCheck clockCheck, ImageStore images) {
    service =
        new QueueService(
            engine,
            new Listener(),
            reports,
            new LevelSurvey(0, 3, LevelRange.ofThisBuild(), message -> levelsSaid++),
            images,
            mirror(),
            clockCheck,
            null,
            new LeaderContact(
                () -> TERM, Duration.ofMinutes(10), cluster::counters, System::nanoTime),
            seed);
  }

  private Mirror mirror() {
    return (Mirror)
        Proxy.newProxyInstance(
            Mirror.class.getClassLoader(),
            new Class<?>[] {Mirror.class},
            (proxy, method, arguments) -> {
              mirrored.add(
                  method.getName().equals("end") ? "end " + arguments[0] : method.getName());
              return method.invoke(Mirror.none(), arguments);
            });
  }

  /** Starts with a snapshot, or empty. */
  LoneService start(Image snapshot) {
    service.onStart(cluster.cluster(), snapshot);
    return this;
  }

  /** Starts as a member of a new cluster that follows a leader. */
  LoneService startAlone() {
    start(null);
    cluster.follow(TERM);
    engine.proposer().proposeGenesis();
    turn();
    return this;
  }

  /** Delivers all proposals and answers reads. */
  void turn() {
    engine
        .proposer()
        .doWork(
            (buffer, offset, length) -> {
              nowMs++;
              hear(buffer, offset, length);
              return true;
            });
    service.doBackgroundWork(System.nanoTime());
  }

  /** Delivers a message from the log. */
  void hear(DirectBuffer buffer, int offset, int length) {
    service.onSessionMessage(null, nowMs, buffer, offset, length, header());
  }

  /** Delivers the request to close the cluster. */
  void hearClose() {
    DirectBuffer notice = new MemberNotice(MemberNotice.Kind.CLOSES_CLUSTER, 0, TERM).encode();
    hear(notice, 0, notice.capacity());
  }

  private static Header header() {
    Header header = new Header(0, 16);
    header.buffer(new UnsafeBuffer(new byte[64]));
    return header;
  }

  /** Closes a session. */
  void close(ClientSession session) {
    cluster.close(session);
    nowMs++;
    service.onSessionClose(session, nowMs, CloseReason.TIMEOUT);
  }

  /** Works until a future completes. */
  <T> T answer(CompletableFuture<T> asked) throws Exception {
    long endNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
    while (!asked.isDone() && System.nanoTime() - endNs < 0) {
      turn();
      Thread.onSpinWait();
    }
    return asked.get(0, TimeUnit.SECONDS);
  }

  StateMachine machine() {
    return engine.applier().machine();
  }

  @Override
  public void close() {
    engine.close();
    engine.end();
  }

  private final class Listener implements ServiceListener {
    @Override
    public void onClusterId(long high, long low) {}

    @Override
    public void onLeaderLeaving(int memberId) {
      leaving.add(memberId);
    }

    @Override
    public boolean onClose(long position, long termId) {
      return true;
    }

    @Override
    public void onStop(long position, Optional<StateDigest> state) {
      stops.add(state);
    }

    @Override
    public void onFailure(Throwable cause) {}
  }
}
