package io.entroq.cluster.session;

import io.aeron.Aeron;
import io.entroq.engine.ThroughInterrupts;
import io.entroq.engine.replica.Proposer;
import io.entroq.engine.replica.ReplicatedEngine;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.agrona.DirectBuffer;

/**
 * The proposing thread: sends this member's commands to the leader in the member's one session. It
 * sleeps while there is nothing to send, and polls for events.
 */
public final class MemberSession implements AutoCloseable {
  /** Between two polls while there is nothing to send. */
  private static final long QUIET_NS = TimeUnit.MILLISECONDS.toNanos(2);

  /** Between two attempts to send, while there is back-pressure or no leader. */
  private static final long BUSY_NS = TimeUnit.MICROSECONDS.toNanos(100);

  /** How long the last message is tried. */
  private static final long FAREWELL_NS = TimeUnit.MILLISECONDS.toNanos(100);

  private final SessionConfig config;
  private final ReplicatedEngine engine;
  private final Thread thread;
  private final ControlOutbox outbox = new ControlOutbox();
  private volatile boolean isClosing;

  /** Sent last, if the session can still send; may be null. */
  private volatile DirectBuffer farewell;

  private final CountDownLatch isOver = new CountDownLatch(1);
  private volatile Leadership leadership = Leadership.NONE;

  private MemberSession(SessionConfig config, ReplicatedEngine engine, int memberId) {
    this.config = config;
    this.engine = engine;
    thread = new Thread(this::run, "entroq-session-" + memberId);
    thread.setDaemon(true);
  }

  public static MemberSession start(SessionConfig config, ReplicatedEngine engine, int memberId) {
    MemberSession session = new MemberSession(config, engine, memberId);
    session.thread.start();
    return session;
  }

  /** The session's leader. Any thread. */
  public Leadership leadership() {
    return leadership;
  }

  /**
   * Sends a control message after those that wait; drops it if too many wait. It may be lost. Any
   * thread.
   */
  public void send(DirectBuffer message) {
    outbox.add(message);
  }

  private void run() {
    try (Aeron aeron = connect()) {
      LeaderConnection connection =
          new LeaderConnection(config, aeron, MemberPrincipal.of(engine.incarnation()));
      try {
        work(connection);
        finish(connection);
        sendFarewell(connection);
      } finally {
        if (engine.hasFailed()) {
          connection.drop();
        } else {
          connection.close();
        }
        isOver.countDown();
      }
    } catch (Throwable t) {
      engine.fail(t);
      config.ended().accept(t);
    } finally {
      isOver.countDown();
    }
  }

  private Aeron connect() {
    return Aeron.connect(
        config
            .clientContext()
            .get()
            .clientName("entroq-session")
            .errorHandler(config.error()::accept));
  }

  private void work(LeaderConnection connection) {
    Proposer proposer = engine.proposer();
    while (!isClosing && engine.isOpen()) {
      if (step(connection) == 0 || proposer.isGathering()) {
        proposer.await(proposer.hasUnsent() ? BUSY_NS : QUIET_NS);
      }
    }
  }

  private int step(LeaderConnection connection) {
    Proposer proposer = engine.proposer();
    int done = connection.poll();
    leadership = connection.leadership(leadership);
    if (connection.takeNew()) {
      proposer.proposeGenesis();
      proposer.resend();
    }
    return done + outbox.send(connection) + proposer.doWork(connection);
  }

  /** Completes requests made before the close, if that is possible within the timeout. */
  private void finish(LeaderConnection connection) {
    long deadlineNs = System.nanoTime() + config.closeTimeout().toNanos();
    while (!engine.hasFailed()
        && !engine.proposer().isSettled()
        && System.nanoTime() - deadlineNs < 0) {
      if (step(connection) == 0) {
        LockSupport.parkNanos(BUSY_NS);
      }
    }
  }

  private void sendFarewell(LeaderConnection connection) {
    DirectBuffer message = farewell;
    long deadlineNs = System.nanoTime() + FAREWELL_NS;
    while (message != null
        && !connection.offer(message, 0, message.capacity())
        && System.nanoTime() - deadlineNs < 0) {
      LockSupport.parkNanos(BUSY_NS);
    }
  }

  /**
   * Ends the session, and waits until the leader has been told; {@link #close} must follow.
   *
   * @param last a control message that the session sends before, if it can
   */
  public void part(DirectBuffer last) {
    farewell = last;
    beginClose();
    ThroughInterrupts.await(isOver::await);
  }

  private void beginClose() {
    isClosing = true;
    engine.close();
  }

  /** Ends the session and the thread, and waits for it. */
  @Override
  public void close() {
    beginClose();
    ThroughInterrupts.await(thread::join);
  }
}
