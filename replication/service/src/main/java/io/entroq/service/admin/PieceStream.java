package io.entroq.service.admin;

import io.entroq.engine.ThroughInterrupts;
import io.entroq.engine.log.LogException;
import io.entroq.service.call.Call;
import io.entroq.service.call.Reply;
import io.entroq.service.translation.Refusal;
import io.entroq.service.translation.RefusedException;
import io.grpc.Status;
import java.util.concurrent.CancellationException;
import java.util.concurrent.locks.LockSupport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends files in pieces, with one message in memory besides those in the transport. Only its own
 * thread waits for a slow client; {@code SlowReaders} ends the call of a client that stalls.
 *
 * @param <S> the messages
 */
final class PieceStream<S> implements Call {
  /** Bytes of a file in one message. */
  static final int PIECE_BYTES = 128 << 10;

  private static final Logger LOG = LoggerFactory.getLogger(PieceStream.class);

  private final String what;
  private final Reply<S> reply;
  private final Pieces<S> pieces;
  private final Runnable onEnd;

  /** Guarded by this, which {@code wait} releases. */
  private boolean isCancelled;

  /** Sends all pieces, on the stream's thread; may block. */
  @FunctionalInterface
  interface Pieces<S> {
    /**
     * Sends them.
     *
     * @throws RefusedException if there are none
     */
    void sendTo(PieceStream<S> stream);
  }

  /**
   * @param what is sent, for messages: a backup
   * @param onEnd runs when no more files are read
   */
  PieceStream(String what, Reply<S> reply, Pieces<S> pieces, Runnable onEnd) {
    this.what = what;
    this.reply = reply;
    this.pieces = pieces;
    this.onEnd = onEnd;
  }

  /** Starts the thread; runs {@code onEnd} if that fails. */
  PieceStream<S> start() {
    try {
      Thread thread = new Thread(this::run, "entroq-" + what);
      thread.setDaemon(true);
      thread.start();
      return this;
    } catch (Throwable t) {
      onEnd.run();
      throw t;
    }
  }

  private void run() {
    Runnable last;
    try {
      pieces.sendTo(this);
      last = reply::complete;
    } catch (CancellationException e) {
      // The caller no longer waits.
      last = () -> {};
    } catch (Throwable t) {
      Refusal refusal = refusal(t);
      last = () -> reply.fail(refusal);
    } finally {
      onEnd.run();
    }
    // After onEnd: a caller that sees the end may send the next request at once.
    last.run();
  }

  private Refusal refusal(Throwable cause) {
    if (cause instanceof RefusedException refused) {
      return refused.refusal();
    }
    if (cause instanceof LogException) {
      LOG.warn("Sending the {} failed: {}", what, cause.getMessage());
      return new Refusal(
          Status.Code.UNAVAILABLE, "no " + what + " is possible now: " + cause.getMessage());
    }
    LOG.error("Sending the {} failed because of an internal error.", what, cause);
    return Refusal.FAULT;
  }

  /** Sends one message when there is room. */
  void send(S message) {
    awaitRoom();
    reply.send(message);
  }

  private synchronized void awaitRoom() {
    requireWanted();
    while (!reply.isReady()) {
      // ready() and cancel() notify.
      ThroughInterrupts.await(this::wait);
      requireWanted();
    }
  }

  /** Waits a while, unless the call was cancelled. */
  void pause(long pauseNs) {
    LockSupport.parkNanos(pauseNs);
    synchronized (this) {
      requireWanted();
    }
  }

  private void requireWanted() {
    if (isCancelled) {
      throw new CancellationException();
    }
  }

  @Override
  public synchronized void ready() {
    notifyAll();
  }

  @Override
  public synchronized void cancel() {
    isCancelled = true;
    notifyAll();
  }
}
