package io.entroq.simulator.replica;

import io.entroq.engine.embedded.EmbeddedConfig;
import io.entroq.engine.gateway.EffectFeed;
import io.entroq.engine.gateway.Gateway;
import io.entroq.engine.replica.Applier;
import io.entroq.engine.replica.ClientHosts;
import io.entroq.engine.replica.Contact;
import io.entroq.engine.replica.ReplicaEnvironment;
import io.entroq.engine.replica.ReplicatedEngine;
import io.entroq.engine.state.StateMachine;
import io.entroq.simulator.call.Request;
import io.entroq.simulator.call.Service.ReplyEnd;
import io.entroq.simulator.disk.SimulatedDisk;
import io.entroq.simulator.feed.FeedMember;
import io.entroq.simulator.feed.MemberFeedWatch;
import io.entroq.simulator.host.HostClock;
import io.entroq.simulator.virtual.EventQueue;
import io.entroq.simulator.virtual.SeededRandom;
import java.time.Duration;
import java.util.UUID;
import org.agrona.DirectBuffer;

/**
 * One life of a member: a real engine driven by events instead of threads, its connection to the
 * log, and its callers. One thread.
 */
final class MemberLife implements FeedMember {
  private static final long MICROSECOND = 1_000;
  private static final long MILLISECOND = 1_000 * MICROSECOND;
  private static final long WORK_NS_LEAST = 2 * MICROSECOND;
  private static final long WORK_NS_MOST = 300 * MICROSECOND;
  private static final long CHECK_NS_LEAST = 5 * MILLISECOND;
  private static final long CHECK_NS_MOST = 60 * MILLISECOND;
  private static final long LATE_NS = 500 * MILLISECOND;
  private static final long GAP_NS_MOST = 4 * CHECK_NS_MOST;

  /** The log records a delivery after so much undisturbed time. */
  private static final long CALM_NS = 6_000 * MILLISECOND;

  /** A request is answered after so much undisturbed time. */
  private static final long LONG_CALM_NS = 20_000 * MILLISECOND;

  private static final long DELAY_NS_LEAST = 20 * MICROSECOND;
  private static final long DELAY_NS_MOST = 3 * MILLISECOND;
  private static final int SLOWNESS = 200;
  private static final int BATCH = 1_000;

  private static final Duration PATIENCE = Duration.ofSeconds(4);
  private static final EmbeddedConfig BOUNDS =
      EmbeddedConfig.inMemory()
          .requestsInFlightMax(2_000)
          .waitingClaimsMax(4_000)
          .memoryBytesMax(1L << 30)
          .build();

  private final Member member;
  private final EventQueue events;
  private final SeededRandom random;
  private final OrderedLog log;
  private final ReferenceRecords records;
  private final MemberFeedWatch feeds;
  private final CallerRegistry callers;
  private final ReplicatedEngine engine;
  private final Applier applier;
  private final LogConnection link;
  private final MemberFrontend frontend;

  /** The record of the snapshot that it started from; 0: none. */
  private final long base;

  /** The newest applied entry. */
  private long index;

  /** The last record that the applied entries have led to. */
  private long committed;

  /** The entry that is being applied. */
  private Entry applying;

  private long lastCheckNs;

  /** Since when the connection to the log is undisturbed. */
  private long calmSinceNs;

  private boolean isWorkDue;
  private boolean isReading;
  private boolean isSlow;
  private boolean isOver;
  private long pausedUntilNs;

  /**
   * A life that has not started.
   *
   * @param machine from a snapshot, or empty
   * @param holders from the same snapshot
   * @param index the newest entry in the snapshot
   */
  MemberLife(
      Member member,
      ClusterContext context,
      SeededRandom random,
      HostClock clock,
      StateMachine machine,
      ClientHosts holders,
      long index) {
    this.member = member;
    this.events = context.events();
    this.random = random;
    this.log = context.log();
    this.records = context.records();
    this.feeds = context.feeds();
    this.index = index;
    this.base = machine.sequence();
    this.committed = base;
    this.pausedUntilNs = events.nowNs();
    this.lastCheckNs = events.nowNs();
    this.calmSinceNs = events.nowNs();
    SeededRandom names = random.fork("names");
    engine =
        ReplicatedEngine.driven(
            BOUNDS,
            clock::wallMs,
            PATIENCE,
            new ReplicaEnvironment(names::next, events::nowNs),
            feeds.ringBytes());
    applier = engine.applier();
    callers = context.callers();
    applier.begin(machine, holders, new RecordLog(this::onRecord, base));
    link = new LogConnection(this, context, random.fork("link"));
    Gateway gateway = engine.queue().gateway();
    frontend =
        new MemberFrontend(
            this, gateway, random.fork("desk"), records, context.positions(), context.ledger());
  }

  /** Connects to the leader and reads the log. */
  void begin() {
    feeds.onBegun(this);
    link.connect();
    readSoon();
    repeat(CHECK_NS_LEAST, CHECK_NS_MOST, this::check);
  }

  long incarnation() {
    return engine.incarnation();
  }

  LogConnection link() {
    return link;
  }

  MemberFrontend frontend() {
    return frontend;
  }

  long base() {
    return base;
  }

  @Override
  public StateMachine machine() {
    return applier.machine();
  }

  @Override
  public EffectFeed feed() {
    return engine.feed();
  }

  @Override
  public long committed() {
    return committed;
  }

  @Override
  public UUID logId() {
    return applier.logId();
  }

  @Override
  public SimulatedDisk disk() {
    return member.disk().disk();
  }

  @Override
  public String directory() {
    return MemberDisk.DATA;
  }

  @Override
  public boolean isDamaged() {
    return member.disk().isDamaged();
  }

  ClientHosts holders() {
    return applier.holders();
  }

  /** The newest applied entry. */
  long index() {
    return index;
  }

  boolean isLive() {
    return !isOver;
  }

  /** The process has died. */
  void end() {
    isOver = true;
    link.drop();
    feeds.onEnd(this);
    applier.machine().close();
  }

  /** Whether it has applied the whole log. */
  boolean isCurrent() {
    return index == log.last();
  }

  /** Whether it has not been paused since a time. */
  boolean isAwakeSince(long timeNs) {
    return pausedUntilNs <= timeNs;
  }

  /** Pauses for a while; events are delayed until then. */
  void pause(long forNs) {
    pausedUntilNs = Math.max(pausedUntilNs, events.nowNs() + forNs);
  }

  /** Whether it receives the log much later than usual. */
  void slow(boolean slow) {
    isSlow = slow;
  }

  // Time.

  long nowNs() {
    return events.nowNs();
  }

  void in(long delayNs, EventQueue.Event event) {
    events.in(delayNs, () -> happen(event));
  }

  private void repeat(long leastNs, long mostNs, EventQueue.Event event) {
    in(
        random.between(leastNs, mostNs),
        () -> {
          event.happen();
          if (!isOver) {
            repeat(leastNs, mostNs, event);
          }
        });
  }

  /** Runs an event now or after the current pause. */
  private void happen(EventQueue.Event event) {
    if (isOver) {
      return;
    }
    if (events.nowNs() >= pausedUntilNs) {
      event.happen();
    } else {
      events.at(pausedUntilNs, () -> happen(event));
    }
  }

  /** Schedules an event again and again. */
  void often(long leastNs, long mostNs, EventQueue.Event event) {
    repeat(leastNs, mostNs, event);
  }

  // Callers.

  void take(Request request, ReplyEnd end) {
    happen(() -> frontend.take(request, end));
  }

  /** Schedules work besides reading the log. */
  void wake() {
    if (!isWorkDue) {
      isWorkDue = true;
      in(random.between(WORK_NS_LEAST, WORK_NS_MOST), this::work);
    }
  }

  private void check() {
    work();
    feeds.onBeat(this);
    boolean isLate = !isCurrent() && log.get(index + 1).committedNs() < nowNs() - LATE_NS;
    boolean hasPaused = nowNs() - lastCheckNs > GAP_NS_MOST;
    boolean isCalm = link.isConnected() && !link.isLate() && log.isLed() && !isLate && !hasPaused;
    lastCheckNs = nowNs();
    if (!isCalm) {
      calmSinceNs = nowNs();
    } else if (nowNs() - calmSinceNs > CALM_NS) {
      frontend.requireLogged(nowNs() - CALM_NS, records.observer());
    }
    if (nowNs() - calmSinceNs > LONG_CALM_NS) {
      frontend.requireAnswered(nowNs() - LONG_CALM_NS);
    }
  }

  private void work() {
    isWorkDue = false;
    if (doWork() > 0) {
      wake();
    }
  }

  /** Runs one duty cycle of each thread of a real member. */
  int doWork() {
    int done = engine.proposer().doWork(link);
    done += applier.doWork(log.isLed() ? Contact.LEADER : Contact.CUT_OFF);
    return done + engine.reply();
  }

  /** The connection has a leader, possibly a new one. */
  void onLeader() {
    engine.proposer().proposeGenesis();
    proposeAgain();
  }

  /** Repeats proposals that are not in the log. */
  void proposeAgain() {
    if (!isOver) {
      engine.proposer().resend();
      wake();
    }
  }

  // The log.

  /** The log may have new entries. */
  void readSoon() {
    if (!isReading && !isCurrent()) {
      isReading = true;
      long delayNs = random.between(DELAY_NS_LEAST, DELAY_NS_MOST) * (isSlow ? SLOWNESS : 1);
      in(delayNs, this::read);
    }
  }

  private void read() {
    isReading = false;
    for (int i = 0; i < BATCH && !isCurrent(); i++) {
      apply(log.get(index + 1));
    }
    wake();
    readSoon();
  }

  private void apply(Entry entry) {
    boolean isFirst = !entry.isKnown();
    applying = member.read(entry);
    boolean isEnd = isFirst && applying.isLast();
    if (isEnd) {
      callers.beforeGone(applying.session.incarnation);
    }
    execute(applying);
    if (isEnd) {
      callers.afterGone(applying.session.incarnation);
    }
    index++;
    StateMachine machine = applier.machine();
    committed = machine.sequence();
    records.requireState(member.toString(), machine);
    entry.requireSame(
        member.toString(),
        machine.sequence(),
        machine.historyDigest(),
        machine.contentDigest(),
        applier.holders().hash(machine));
  }

  private void onRecord(
      int type, long sequence, long timeMs, int crc, DirectBuffer payload, int offset, int length) {
    boolean isFirst = records.add(toString(), type, sequence, timeMs, crc, payload, offset, length);
    feeds.onRecord(this, type, sequence, timeMs, crc, payload, offset, length);
    if (isFirst && applying.kind == Entry.Kind.PROPOSAL) {
      callers.onRecord(type, payload, offset, length, applying.session.incarnation);
    }
  }

  private void execute(Entry entry) {
    switch (entry.kind) {
      case OPEN -> {
        // No effect.
      }
      case PROPOSAL -> applier.apply(entry.proposal, 0, entry.proposal.capacity(), entry.timeMs());
      case TIMER -> applier.tick(entry.timeMs());
      case CLOSE -> {
        if (entry.isLast()) {
          applier.callersGone(entry.session.incarnation, entry.timeMs());
        }
      }
    }
  }

  @Override
  public String toString() {
    return member.toString();
  }
}
