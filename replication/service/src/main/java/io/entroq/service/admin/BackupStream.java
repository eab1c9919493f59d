package io.entroq.service.admin;

import com.google.protobuf.UnsafeByteOperations;
import io.entroq.codec.wire.published.admin.BackupBegin;
import io.entroq.codec.wire.published.admin.BackupEnd;
import io.entroq.codec.wire.published.admin.BackupFile;
import io.entroq.codec.wire.published.admin.BackupFileEnd;
import io.entroq.codec.wire.published.admin.BackupResponse;
import io.entroq.engine.ThroughInterrupts;
import io.entroq.engine.backup.BackupReading;
import io.entroq.engine.log.LogException;
import io.entroq.service.call.Call;
import io.entroq.service.call.Reply;
import io.entroq.service.translation.Refusal;
import io.entroq.service.translation.RefusedException;
import io.grpc.Status;
import java.nio.ByteBuffer;
import java.util.concurrent.CancellationException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends one backup, with one message in memory besides those in the transport. Only this thread
 * waits for a slow client; {@code SlowReaders} ends the call of a client that stalls.
 */
final class BackupStream implements Call {
  private static final Logger LOG = LoggerFactory.getLogger(BackupStream.class);

  /** Bytes of a file in one message. */
  private static final int PIECE_BYTES = 128 << 10;

  /** How long to retry if the files change while they are being opened. */
  private static final long PATIENCE_NS = TimeUnit.SECONDS.toNanos(15);

  private static final long PAUSE_NS = TimeUnit.MILLISECONDS.toNanos(50);

  private final BackupSource source;
  private final Reply<BackupResponse> reply;
  private final Runnable onEnd;

  /** Guarded by this, which {@code wait} releases. */
  private boolean isCancelled;

  /**
   * @param onEnd runs when no more files are read
   */
  BackupStream(BackupSource source, Reply<BackupResponse> reply, Runnable onEnd) {
    this.source = source;
    this.reply = reply;
    this.onEnd = onEnd;
  }

  void start() {
    Thread thread = new Thread(this::run, "entroq-backup");
    thread.setDaemon(true);
    thread.start();
  }

  private void run() {
    Runnable last;
    try {
      send();
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
    // After onEnd: a caller that sees the end may request the next backup at once.
    last.run();
  }

  private static Refusal refusal(Throwable cause) {
    if (cause instanceof RefusedException refused) {
      return refused.refusal();
    }
    if (cause instanceof LogException) {
      LOG.warn("A backup failed: {}", cause.getMessage());
      return new Refusal(
          Status.Code.UNAVAILABLE, "no backup is possible now: " + cause.getMessage());
    }
    LOG.error("A backup failed because of an internal error.", cause);
    return Refusal.FAULT;
  }

  private void send() {
    try (OpenBackup open = open()) {
      BackupReading reading = open.reading();
      BackupBegin.Builder begin =
          BackupBegin.newBuilder()
              .setSequence(reading.sequence())
              .setSnapshotSequence(reading.snapshotSequence())
              .setBytes(reading.bytes());
      open.aim().state().ifPresent(begin::setState);
      send(BackupResponse.newBuilder().setBegin(begin));
      int files = 0;
      while (reading.nextFile()) {
        sendFile(reading);
        files++;
      }
      send(BackupResponse.newBuilder().setEnd(BackupEnd.newBuilder().setFiles(files)));
    }
  }

  private OpenBackup open() {
    long endNs = System.nanoTime() + PATIENCE_NS;
    while (true) {
      BackupSource.Aim aim = source.aim();
      try {
        return new OpenBackup(
            aim, BackupReading.open(source.directory(), source.policy(), aim.sequence()));
      } catch (LogException e) {
        if (System.nanoTime() - endNs > 0) {
          throw e;
        }
        pause();
      }
    }
  }

  private void sendFile(BackupReading reading) {
    send(
        BackupResponse.newBuilder()
            .setFile(
                BackupFile.newBuilder().setPath(reading.path()).setBytes(reading.fileBytes())));
    // A new buffer for each message: the transport may hold it for any time.
    ByteBuffer piece = ByteBuffer.allocate(PIECE_BYTES);
    while (reading.read(piece)) {
      send(BackupResponse.newBuilder().setData(UnsafeByteOperations.unsafeWrap(piece.flip())));
      piece = ByteBuffer.allocate(PIECE_BYTES);
    }
    send(
        BackupResponse.newBuilder()
            .setFileEnd(BackupFileEnd.newBuilder().setCrc32C(reading.crc())));
  }

  private void send(BackupResponse.Builder response) {
    awaitRoom();
    reply.send(response.build());
  }

  private synchronized void awaitRoom() {
    requireWanted();
    while (!reply.isReady()) {
      // ready() and cancel() notify.
      ThroughInterrupts.await(this::wait);
      requireWanted();
    }
  }

  private void pause() {
    LockSupport.parkNanos(PAUSE_NS);
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

  private record OpenBackup(BackupSource.Aim aim, BackupReading reading) implements AutoCloseable {
    @Override
    public void close() {
      reading.close();
    }
  }
}
