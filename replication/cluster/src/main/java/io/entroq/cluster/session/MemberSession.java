package io.entroq.cluster.session;

import io.aeron.Aeron;
import io.entroq.engine.ThroughInterrupts;
import io.entroq.engine.replica.Proposer;
import io.entroq.engine.replica.ReplicatedEngine;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.agrona.DirectBuffer;

/**
 * The thread that sends what this member's callers ask to the leader, in the one session that the
 * member has. It sleeps while nobody asks, and wakes to look for events often enough.
 */
public final class MemberSession implements AutoCloseable {
  /** Between two looks at what comes from the leader, while nobody asks. */
  private static final long QUIET_NS = TimeUnit.MILLISECONDS.toNanos(2);

  /** Between two attempts to send, while there is no room or no leader. */
  private static final long BUSY_NS = TimeUnit.MICROSECONDS.toNanos(100);

  private final SessionConfig config;
  private final ReplicatedEngine engine;
  private final Thread thread;
  private final ControlOutbox outbox = new ControlOutbox();
  private volatile boolean isClosing;
  private volatile Leadership leadership = Leadership.NONE;

  private MemberSession(SessionConfig config, ReplicatedEngine engine, int memberId) {
    this.config = config;
    this.engine = engine;
    thread = new Thread(this::run, "entroq-session-" + memberId);
    thread.setDaemon(true);
  }

  /** Begins. */
  public static MemberSession start(SessionConfig config, ReplicatedEngine engine, int memberId) {
    MemberSession session = new MemberSession(config, engine, memberId);
    session.thread.start();
    return session;
  }

  /** Who leads, as far as the session knows. Any thread. */
  public Leadership leadership() {
    return leadership;
  }

  /**
   * Sends a message that is no command as soon as there is room, behind those that have not gone
   * yet; where these are too many it is dropped. It may be lost. Any thread.
   */
  public void tell(DirectBuffer message) {
    outbox.add(message);
  }

  private void run() {
    try (Aeron aeron = connect()) {
      LeaderConnection link =
          new LeaderConnection(config, aeron, MemberPrincipal.of(engine.incarnation()));
      try {
        work(link);
        finish(link);
      } finally {
        if (engine.hasFailed()) {
          link.drop();
        } else {
          link.close();
        }
      }
    } catch (Throwable t) {
      engine.fail(t);
      config.ended().accept(t);
    }
  }

  private Aeron connect() {
    return Aeron.connect(
        new Aeron.Context()
            .aeronDirectoryName(config.driverDirectory())
            .epochClock(config.clock())
            .clientName("entroq-session")
            .errorHandler(config.error()::accept));
  }

  private void work(LeaderConnection link) {
    Proposer proposer = engine.proposer();
    while (!isClosing && engine.isOpen()) {
      if (step(link) == 0) {
        proposer.await(proposer.hasUnsent() ? BUSY_NS : QUIET_NS);
      }
    }
  }

  private int step(LeaderConnection link) {
    Proposer proposer = engine.proposer();
    int done = link.poll();
    leadership = link.leadership(leadership);
    if (link.takeNew()) {
      proposer.proposeGenesis();
      proposer.resend();
    }
    return done + outbox.send(link) + proposer.doWork(link);
  }

  /** What callers have asked before the close is done, if it can be soon. */
  private void finish(LeaderConnection link) {
    long deadlineNs = System.nanoTime() + config.closeTimeout().toNanos();
    while (!engine.hasFailed()
        && !engine.proposer().isSettled()
        && System.nanoTime() - deadlineNs < 0) {
      if (step(link) == 0) {
        LockSupport.parkNanos(BUSY_NS);
      }
    }
  }

  /** Ends the thread, and the session with it; blocks until then. */
  @Override
  public void close() {
    isClosing = true;
    engine.close();
    ThroughInterrupts.await(thread::join);
  }
}
