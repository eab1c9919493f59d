package io.entroq.simulator.replica;

import io.entroq.codec.command.CallersGoneEncoder;
import io.entroq.codec.command.GenesisEncoder;
import io.entroq.codec.record.RecordType;
import io.entroq.engine.state.Levels;
import io.entroq.simulator.call.Reply;
import io.entroq.simulator.call.Reply.Ending;
import io.entroq.simulator.call.Request;
import io.entroq.simulator.call.Service;
import io.entroq.simulator.check.Invariant;
import io.entroq.simulator.check.Ledger;
import io.entroq.simulator.fault.FaultKind;
import io.entroq.simulator.fault.Faults;
import io.entroq.simulator.host.HostClock;
import io.entroq.simulator.host.LifeListener;
import io.entroq.simulator.virtual.Agenda;
import io.entroq.simulator.virtual.Chance;
import io.entroq.simulator.virtual.Trace;
import java.util.ArrayList;
import java.util.List;
import org.agrona.DirectBuffer;
import org.agrona.ExpandableArrayBuffer;
import org.agrona.collections.Int2ObjectHashMap;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Members that share a log, one of which leads while most of them are up. Each client is held by
 * one member at a time, and moves to another when the log has said that those of its member are
 * gone. What must hold of members among each other is checked here; what must hold of the log, by
 * the ledger, to which the first member that applies an entry tells it. One thread.
 */
public final class Cluster implements Service {
  private static final Reply UNAVAILABLE = new Reply(Ending.UNAVAILABLE, null);
  private static final DirectBuffer NOTHING = new UnsafeBuffer(new byte[0]);
  private static final long MILLISECOND = 1_000_000;
  private static final long SECOND = 1_000 * MILLISECOND;
  private static final long TICK_NS_LEAST = 5 * MILLISECOND;
  private static final long TICK_NS_MOST = 50 * MILLISECOND;

  /** What is in the log for so long has been applied by every member that is up. */
  private static final long LAG_NS_MAX = 30 * SECOND;

  /** Log time that goes ahead by no more is as good as real time. */
  private static final long LEAP_MS = 100;

  /** Members that begin again begin with an older snapshot so often. */
  private static final int OLDER_ONCE_IN = 4;

  private final Agenda agenda;
  private final Chance chance;
  private final Chance older;
  private final Faults faults;
  private final Ledger ledger;
  private final LifeListener listener;
  private final OrderedLog log;
  private final List<Member> members = new ArrayList<>();
  private final Int2ObjectHashMap<Session> holders = new Int2ObjectHashMap<>();
  private Member leader;
  private Entry tick;
  private long timeAheadMs;
  private boolean isElecting;
  private boolean isOver;

  /**
   * Members that are switched off.
   *
   * @param count how many, from 1; most of them must be up for anything to happen
   * @param ledger is told all that happens
   * @param trace hears of it
   * @param listener hears of each opening when callers of a member are gone, so that their claims
   *     are given back
   */
  public Cluster(
      int count,
      Agenda agenda,
      Chance chance,
      Faults faults,
      Ledger ledger,
      Trace trace,
      LifeListener listener) {
    this(count, agenda, chance, faults, ledger, trace, listener, LogReader.TRUE);
  }

  Cluster(
      int count,
      Agenda agenda,
      Chance chance,
      Faults faults,
      Ledger ledger,
      Trace trace,
      LifeListener listener,
      LogReader reader) {
    this.agenda = agenda;
    this.chance = chance;
    this.older = chance.fork(FaultKind.SNAPSHOT_OLDER.label());
    this.faults = faults;
    this.ledger = ledger;
    this.listener = listener;
    log = new OrderedLog(agenda, chance.fork("log"), faults, this::leaderMs, this::onCommitted);
    for (int i = 0; i < count; i++) {
      Chance own = chance.fork("member", i);
      members.add(new Member(i, agenda, own, faults, log, reader, ledger, trace, this::onDown));
    }
  }

  /** How many members there are. */
  int size() {
    return members.size();
  }

  Member member(int number) {
    return members.get(number);
  }

  // The world's side.

  /** Starts all members, and a log for them. */
  public void open() {
    members.forEach(member -> member.start(0));
    elect();
    log.append(genesis());
    repeat(TICK_NS_LEAST, TICK_NS_MOST, this::tick);
    repeat(SECOND, SECOND, this::check);
  }

  private Entry genesis() {
    ExpandableArrayBuffer buffer = new ExpandableArrayBuffer();
    int length =
        new GenesisEncoder()
            .wrap(buffer, 0)
            .logId(chance.next(), chance.next())
            .seed(chance.next())
            .level(Levels.MAX)
            .createdMs(HostClock.START_MS)
            .length();
    return new Entry(RecordType.GENESIS, new UnsafeBuffer(buffer, 0, length), null, 0, false);
  }

  private void repeat(long leastNs, long mostNs, Agenda.Event event) {
    agenda.in(
        chance.between(leastNs, mostNs),
        () -> {
          event.happen();
          repeat(leastNs, mostNs, event);
        });
  }

  /** Counts everything that a member has which has applied all that the ledger knows. */
  public void count() {
    for (Member member : members) {
      if (member.isUp() && member.machine().sequence() == ledger.sequence()) {
        ledger.full(member.machine(), member.base());
        return;
      }
    }
  }

  /** Clocks are right, no member is slow, and from now on members begin again within a second. */
  public void endTrouble() {
    isOver = true;
    for (Member member : members) {
      member.clock().setRight();
      member.slow(false);
      member.disk().disarm();
    }
  }

  /** All members are up, and have applied all that has not just come into the log. */
  public void requireAllCurrent() {
    for (Member member : members) {
      Invariant.REPLICAS_CATCH_UP.require(
          member.isUp(), "@" + log.last(), "applied by " + member, "it is down");
      member.requireCurrent(agenda.nowNs() - SECOND);
    }
  }

  /** All members die, and begin again. */
  public void restart() {
    members.stream().filter(Member::isUp).forEach(Member::die);
  }

  /** How many entries the log has got. */
  public long entries() {
    return log.last();
  }

  /** Gives back the memory of all members; for the end of a world. */
  public void switchOff() {
    members.forEach(Member::switchOff);
  }

  // Callers.

  @Override
  public void onRequest(Request request, ReplyEnd replies) {
    Session holder = holders.get(request.client());
    if (holder == null || holder.isClosed()) {
      holder = anySession();
      if (holder != null) {
        holders.put(request.client(), holder);
      }
    }
    if (holder == null || !holder.isLive()) {
      replies.reply(request, UNAVAILABLE);
    } else {
      holder.member.take(request, replies);
    }
  }

  private Session anySession() {
    int first = chance.below(members.size());
    for (int i = 0; i < members.size(); i++) {
      Session session = members.get((first + i) % members.size()).session();
      if (session != null) {
        return session;
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
   * The leader is not heard of any more, if there is one; another one will be, or the same.
   *
   * @return false if there is none
   */
  boolean interrupt() {
    if (log.last() == 0) {
      return false;
    }
    boolean wasLed = leader != null;
    leader = null;
    log.interrupt();
    if (!isElecting) {
      isElecting = true;
      agenda.in(chance.between(100 * MILLISECOND, 4 * SECOND), this::elect);
    }
    return wasLed;
  }

  private void elect() {
    isElecting = false;
    if (areMostUp()) {
      leader = anySession().member;
      tick = null;
      log.resume();
    } else {
      interrupt();
    }
  }

  private void tick() {
    boolean isUnderWay = tick != null && !tick.isLost() && tick.sequence() == 0;
    if (leader != null
        && leader.isCurrent()
        && !isUnderWay
        && leader.machine().nextDeadlineMs() <= leaderMs()) {
      tick = new Entry(RecordType.TICK, NOTHING, null, 0, false);
      log.append(tick);
    }
  }

  private void onCommitted(Entry entry) {
    if (entry.type == RecordType.CALLERS_GONE) {
      entry.session.close();
      listener.onOpened();
    }
    noteTime(entry);
    members.forEach(Member::readSoon);
  }

  /** Leaders have clocks of their own, and say what those say. */
  private void noteTime(Entry entry) {
    long aheadMs = entry.timeMs() - agenda.nowNs() / MILLISECOND;
    if (aheadMs > timeAheadMs + LEAP_MS) {
      listener.onTimeLeap();
    }
    timeAheadMs = aheadMs;
  }

  // Lives of members.

  private void onDown(Member member, Session session) {
    if (member == leader || !areMostUp()) {
      interrupt();
    }
    agenda.in(chance.between(500 * MILLISECOND, 10 * SECOND), () -> close(session, null));
    startLater(member);
  }

  /**
   * Has the log say that the callers of a member are gone.
   *
   * @param last what it was told when it was tried before; null: it was not
   */
  private void close(Session session, Entry last) {
    if (session.isClosed()) {
      return;
    }
    boolean isUnderWay = last != null && !last.isLost();
    Entry next = isUnderWay ? last : callersGone(session);
    if (!isUnderWay) {
      log.append(next);
    }
    agenda.in(SECOND, () -> close(session, next));
  }

  private static Entry callersGone(Session session) {
    ExpandableArrayBuffer buffer = new ExpandableArrayBuffer();
    CallersGoneEncoder encoder = new CallersGoneEncoder().wrap(buffer, 0).all(false);
    session.clients().forEach(each -> encoder.client(each.high(), each.low()));
    DirectBuffer command = new UnsafeBuffer(buffer, 0, encoder.length());
    return new Entry(RecordType.CALLERS_GONE, command, session, 0, false);
  }

  private void startLater(Member member) {
    long mostNs = isOver ? SECOND : 60 * SECOND;
    agenda.in(chance.between(50 * MILLISECOND, mostNs), () -> start(member));
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

  /** A member that has nothing gets a snapshot of another one; false if there is none. */
  private boolean seed(Member member) {
    for (Member other : members) {
      if (other != member && other.hasSnapshotToGive()) {
        member.disk().copyFrom(other.disk());
        return true;
      }
    }
    return false;
  }

  // Now and then.

  private void check() {
    long byNs = agenda.nowNs() - LAG_NS_MAX;
    long oldest = Long.MAX_VALUE;
    for (Member member : members) {
      member.requireCurrent(byNs);
      oldest = Math.min(oldest, member.disk().oldest());
    }
    if (oldest > 0) {
      log.forgetBefore(oldest);
    }
  }
}
