package io.entroq.simulator.replica;

import io.entroq.engine.replica.Sequencer;
import io.entroq.simulator.fault.FaultKind;
import io.entroq.simulator.fault.Faults;
import io.entroq.simulator.virtual.EventQueue;
import io.entroq.simulator.virtual.SeededRandom;
import java.util.function.BooleanSupplier;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * The connection through which an engine proposes its commands, one session after another. In each,
 * messages reach the leader in order until the connection breaks. One thread.
 */
final class LogConnection implements Sequencer {
  private static final long MILLISECOND = 1_000_000;
  private static final long TRANSIT_NS_LEAST = 50_000;
  private static final long TRANSIT_NS_MOST = MILLISECOND;
  private static final long LATE_NS_LEAST = 5 * MILLISECOND;
  private static final long LATE_NS_MOST = 5_000 * MILLISECOND;
  private static final long CONNECT_NS_LEAST = 5 * MILLISECOND;
  private static final long CONNECT_NS_MOST = 300 * MILLISECOND;
  private static final long CONNECT_TIMEOUT_NS = 1_000 * MILLISECOND;
  private static final int PROPOSALS_PER_TROUBLE = 500;
  private static final int UNDER_WAY_MAX = 100;

  private final MemberLife life;
  private final EventQueue events;
  private final Faults faults;
  private final OrderedLog log;
  private final BooleanSupplier isOver;
  private final SeededRandom transits;
  private final SeededRandom losses;
  private final SeededRandom delays;
  private final SeededRandom doubles;

  /** Null while the log has no open session. */
  private Session session;

  /** The leader's term that messages are meant for. */
  private long term;

  /** Counts connections: messages on earlier ones are lost. */
  private long connection;

  private long lastArrivalNs;
  private int underWay;

  LogConnection(MemberLife life, ClusterContext context, SeededRandom random) {
    this.life = life;
    this.events = context.events();
    this.faults = context.faults();
    this.log = context.log();
    this.isOver = context.isOver();
    transits = random.fork("ways");
    losses = random.fork(FaultKind.PROPOSAL_LOST.label());
    delays = random.fork(FaultKind.PROPOSAL_DELAYED.label());
    doubles = random.fork(FaultKind.PROPOSAL_DOUBLED.label());
  }

  boolean isConnected() {
    return session != null;
  }

  /** Whether a message in flight is late. */
  boolean isLate() {
    return lastArrivalNs > events.nowNs() + 2 * TRANSIT_NS_MOST;
  }

  boolean isIn(Session one) {
    return session == one;
  }

  /** Tries to open a session until it succeeds. */
  void connect() {
    drop();
    long attempt = connection;
    events.in(
        transits.between(CONNECT_NS_LEAST, CONNECT_NS_MOST),
        () -> {
          if (isAt(attempt)) {
            open();
          }
        });
  }

  private void open() {
    long attempt = connection;
    log.append(Entry.open(new Session(life, life.incarnation())));
    events.in(
        CONNECT_TIMEOUT_NS,
        () -> {
          if (isAt(attempt) && session == null) {
            connect();
          }
        });
  }

  void onOpened(Session opened) {
    long attempt = connection;
    events.in(
        transitNs(),
        () -> {
          if (isAt(attempt) && session == null && opened.isOpen()) {
            session = opened;
            term = log.term();
            life.onLeader();
          }
        });
  }

  void onClosed(Session closed) {
    events.in(
        transitNs(),
        () -> {
          if (life.isLive() && session == closed) {
            connect();
          }
        });
  }

  /** There is a new leader, possibly the same member. */
  void onNewLeader() {
    long attempt = connection;
    events.in(
        transits.between(TRANSIT_NS_LEAST, CONNECT_NS_MOST),
        () -> {
          if (isAt(attempt) && session != null && log.isLed()) {
            term = log.term();
            life.onLeader();
          }
        });
  }

  /** Drops the session and all messages in flight. */
  void drop() {
    connection++;
    session = null;
    underWay = 0;
  }

  private boolean isAt(long attempt) {
    return life.isLive() && connection == attempt;
  }

  @Override
  public boolean offer(DirectBuffer buffer, int offset, int length) {
    if (session == null || underWay == UNDER_WAY_MAX) {
      return false;
    }
    byte[] bytes = new byte[length];
    buffer.getBytes(offset, bytes);
    Entry entry = Entry.proposal(session, term, new UnsafeBuffer(bytes));
    long lateNs =
        happens(FaultKind.PROPOSAL_DELAYED, delays)
            ? delays.between(LATE_NS_LEAST, LATE_NS_MOST)
            : 0;
    lastArrivalNs = Math.max(lastArrivalNs, events.nowNs() + transitNs() + lateNs);
    long sentOn = connection;
    underWay++;
    events.at(lastArrivalNs, () -> arrive(entry, sentOn));
    if (happens(FaultKind.PROPOSAL_DOUBLED, doubles)) {
      events.in(doubles.between(TRANSIT_NS_LEAST, LATE_NS_MOST), life::proposeAgain);
    }
    if (happens(FaultKind.PROPOSAL_LOST, losses)) {
      events.in(losses.between(0, TRANSIT_NS_MOST), () -> breakOff(sentOn));
    }
    return true;
  }

  private void arrive(Entry entry, long sentOn) {
    if (connection != sentOn) {
      entry.lose();
      return;
    }
    underWay--;
    log.append(entry);
    life.wake();
  }

  private void breakOff(long sentOn) {
    if (isAt(sentOn)) {
      connect();
    }
  }

  private boolean happens(FaultKind kind, SeededRandom random) {
    boolean happens =
        faults.isOn(kind) && !isOver.getAsBoolean() && random.oneIn(PROPOSALS_PER_TROUBLE);
    if (happens) {
      faults.count(kind);
    }
    return happens;
  }

  private long transitNs() {
    return transits.between(TRANSIT_NS_LEAST, TRANSIT_NS_MOST);
  }
}
