package io.entroq.simulator.replica;

import io.entroq.simulator.call.Reply;
import io.entroq.simulator.call.Reply.Status;
import io.entroq.simulator.call.Request;
import io.entroq.simulator.call.ServingSystem;
import io.entroq.simulator.check.Invariant;
import io.entroq.simulator.check.Ledger;
import io.entroq.simulator.fault.FaultKind;
import io.entroq.simulator.fault.Faults;
import io.entroq.simulator.feed.MemberFeedWatch;
import io.entroq.simulator.host.LifeListener;
import io.entroq.simulator.virtual.EventQueue;
import io.entroq.simulator.virtual.SeededRandom;
import io.entroq.simulator.virtual.Trace;
import java.util.ArrayList;
import java.util.List;
import org.agrona.collections.Int2ObjectHashMap;

/**
 * Members that share a log. One leads while most of them are up. Each client uses one member, and
 * moves to another when that is down, or at random. This class and {@link ReferenceRecords} compare
 * the members with each other; the ledger checks what they do. One thread.
 */
public final class Cluster implements ServingSystem {
  private static final Reply UNAVAILABLE = new Reply(Status.UNAVAILABLE, null);
  private static final long MILLISECOND = 1_000_000;
  private static final long SECOND = 1_000 * MILLISECOND;
  private static final long TICK_NS_LEAST = 5 * MILLISECOND;
  private static final long TICK_NS_MOST = 50 * MILLISECOND;

  /** Every running member applies an entry within this time. */
  private static final long LAG_NS_MAX = 30 * SECOND;

  /** Smaller leaps of log time are ignored. */
  private static final long LEAP_MS = 100;

  /** One restart of so many uses an older snapshot. */
  private static final int OLDER_ONCE_IN = 4;

  /** One request of so many moves its client to another member. */
  private static final int MOVES_ONCE_IN = 200;

  private final EventQueue events;
  private final SeededRandom random;
  private final SeededRandom older;
  private final SeededRandom moves;
  private final Faults faults;
  private final Ledger ledger;
  private final LifeListener listener;
  private final OrderedLog log;
  private final ReferenceRecords records;
  private final MemberFeedWatch feeds;
  private final SessionTimeouts timeouts;
  private final List<Member> members = new ArrayList<>();
  private final Int2ObjectHashMap<MemberLife> memberOf = new Int2ObjectHashMap<>();
  private Member leader;
  private Entry timer;
  private long timeAheadMs;
  private boolean isElecting;
  private boolean isOver;

  /**
   * Members that are switched off.
   *
   * @param count number of members, from 1
   * @param listener learns when the callers of a member are declared gone, so that their claims are
   *     given back
   */
  public Cluster(
      int count,
      EventQueue events,
      SeededRandom random,
      Faults faults,
      Ledger ledger,
      Trace trace,
      LifeListener listener) {
    this(count, events, random, faults, ledger, trace, listener, LogReader.TRUE);
  }

  Cluster(
      int count,
      EventQueue events,
      SeededRandom random,
      Faults faults,
      Ledger ledger,
      Trace trace,
      LifeListener listener,
      LogReader reader) {
    this.events = events;
    this.random = random;
    this.older = random.fork(FaultKind.SNAPSHOT_OLDER.label());
    this.moves = random.fork("moves");
    this.faults = faults;
    this.ledger = ledger;
    this.listener = listener;
    log = new OrderedLog(events, random.fork("log"), this::leaderMs, this::onCommitted);
    records = new ReferenceRecords(ledger, trace);
    feeds = new MemberFeedWatch(random.fork("feed"));
    timeouts = new SessionTimeouts(events, random.fork("doors"), log);
    ClusterContext context =
        new ClusterContext(
            events,
            faults,
            log,
            records,
            feeds,
            new CallerRegistry(records.observer()),
            new ClientPositions(),
            ledger,
            reader,
            () -> isOver);
    for (int i = 0; i < count; i++) {
      SeededRandom own = random.fork("member", i);
      members.add(new Member(i, context, own, trace, this::onDown));
    }
  }

  int size() {
    return members.size();
  }

  Member member(int number) {
    return members.get(number);
  }

  // The world's interface.

  @Override
  public void open() {
    members.forEach(member -> member.start(0));
    elect();
    repeat(TICK_NS_LEAST, TICK_NS_MOST, this::tick);
    repeat(SECOND, SECOND, this::check);
    repeat(100 * MILLISECOND, 200 * MILLISECOND, timeouts::sweep);
  }

  private void repeat(long leastNs, long mostNs, EventQueue.Event event) {
    events.in(
        random.between(leastNs, mostNs),
        () -> {
          event.happen();
          repeat(leastNs, mostNs, event);
        });
  }

  /** Compares the state of a member that has applied everything that the ledger knows. */
  @Override
  public void count() {
    for (Member member : members) {
      if (member.isUp() && member.life().machine().sequence() == ledger.sequence()) {
        ledger.full(member.life().machine(), member.life().base());
        feeds.count(member.life());
        return;
      }
    }
  }

  /** Corrects clocks and slow members. From now on members restart within a second. */
  public void endTrouble() {
    isOver = true;
    for (Member member : members) {
      member.clock().setRight();
      member.disk().disarm();
      if (member.isUp()) {
        member.life().slow(false);
      }
    }
  }

  /** All members must be up and have applied the whole log but for its last second. */
  @Override
  public void requireAtRest() {
    for (Member member : members) {
      Invariant.REPLICAS_CATCH_UP.require(
          member.isUp(), "entry " + log.last(), "applied by " + member, "the member is down");
      member.requireCurrent(events.nowNs() - SECOND);
    }
  }

  /** Every member dies and starts again. */
  @Override
  public void restart() {
    members.stream().filter(Member::isUp).forEach(Member::die);
  }

  /** The readers of the members' feeds. */
  MemberFeedWatch feeds() {
    return feeds;
  }

  /** The number of entries in the log. */
  public long entries() {
    return log.last();
  }

  @Override
  public void switchOff() {
    members.forEach(Member::switchOff);
    records.close();
  }

  // Callers.

  @Override
  public void onRequest(Request request, ReplyEnd replies) {
    MemberLife life = memberOf.get(request.client());
    if (life == null || !life.isLive() || moves.oneIn(MOVES_ONCE_IN)) {
      life = anyLife();
    }
    if (life == null) {
      replies.reply(request, UNAVAILABLE);
    } else {
      memberOf.put(request.client(), life);
      life.take(request, replies);
    }
  }

  private MemberLife anyLife() {
    Member member = anyUp();
    return member == null ? null : member.life();
  }

  private Member anyUp() {
    int first = random.below(members.size());
    for (int i = 0; i < members.size(); i++) {
      Member member = members.get((first + i) % members.size());
      if (member.isUp()) {
        return member;
      }
    }
    return null;
  }

  // Leaders.

  private long leaderMs() {
    return leader.clock().wallMs();
  }

  private boolean areMostUp() {
    return 2 * members.stream().filter(Member::isUp).count() > members.size();
  }

  /**
   * The cluster loses its leader. The next leader may be the same member.
   *
   * @return false if there is no leader
   */
  boolean interrupt() {
    boolean wasLed = leader != null;
    leader = null;
    log.interrupt();
    if (!isElecting) {
      isElecting = true;
      events.in(random.between(100 * MILLISECOND, 4 * SECOND), this::elect);
    }
    return wasLed;
  }

  private void elect() {
    isElecting = false;
    if (areMostUp()) {
      leader = anyUp();
      timer = null;
      log.resume();
      members.stream().filter(Member::isUp).forEach(member -> member.life().link().onNewLeader());
    } else {
      interrupt();
    }
  }

  /**
   * Closes the session of a running member.
   *
   * @return false if it has none
   */
  boolean closeSession(Member member) {
    return timeouts.close(member.life());
  }

  private void tick() {
    boolean isUnderWay = timer != null && !timer.isLost() && timer.index() == 0;
    if (leader != null
        && leader.isCurrent()
        && !isUnderWay
        && leader.life().machine().nextDeadlineMs() <= leaderMs()) {
      timer = Entry.timer();
      log.append(timer);
    }
  }

  private void onCommitted(Entry entry) {
    switch (entry.kind) {
      case OPEN -> entry.session.life().link().onOpened(entry.session);
      case PROPOSAL, TIMER -> {
        // Members read these from the log.
      }
      case CLOSE -> {
        entry.session.life().link().onClosed(entry.session);
        if (entry.isLast()) {
          listener.onOpened();
        }
      }
    }
    noteTime(entry);
    for (Member member : members) {
      if (member.isUp()) {
        member.life().readSoon();
      }
    }
  }

  /** Log time leaps when a new leader's clock is ahead. */
  private void noteTime(Entry entry) {
    long aheadMs = entry.timeMs() - events.nowNs() / MILLISECOND;
    if (aheadMs > timeAheadMs + LEAP_MS) {
      listener.onTimeLeap();
    }
    timeAheadMs = aheadMs;
  }

  // Lives of members.

  private void onDown(Member member) {
    if (member == leader || !areMostUp()) {
      interrupt();
    }
    startLater(member);
  }

  private void startLater(Member member) {
    long mostNs = isOver ? SECOND : 60 * SECOND;
    events.in(random.between(50 * MILLISECOND, mostNs), () -> start(member));
  }

  private void start(Member member) {
    boolean isOlder =
        faults.isOn(FaultKind.SNAPSHOT_OLDER)
            && member.disk().hasOlder()
            && older.oneIn(OLDER_ONCE_IN);
    if (isOlder) {
      faults.count(FaultKind.SNAPSHOT_OLDER);
    }
    if (!member.start(isOlder ? 1 : 0) && !(seed(member) && member.start(0))) {
      startLater(member);
    }
  }

  /** Gives a member without a snapshot one from another member; false if there is none. */
  private boolean seed(Member member) {
    for (Member other : members) {
      if (other != member && other.hasSnapshotToGive()) {
        member.disk().copyFrom(other.disk());
        return true;
      }
    }
    return false;
  }

  // Regular checks.

  private void check() {
    long byNs = events.nowNs() - LAG_NS_MAX;
    long oldest = Long.MAX_VALUE;
    long oldestIndex = Long.MAX_VALUE;
    for (Member member : members) {
      member.requireCurrent(byNs);
      oldest = Math.min(oldest, member.disk().oldest());
      oldestIndex = Math.min(oldestIndex, member.disk().oldestIndex());
    }
    if (oldest > 0) {
      log.forgetBefore(oldestIndex);
      records.forgetBefore(oldest);
      feeds.forgetBefore(oldest);
    }
  }
}
