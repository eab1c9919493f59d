package io.entroq.service.admin;

import com.google.protobuf.UnsafeByteOperations;
import io.entroq.codec.wire.published.admin.BackupBegin;
import io.entroq.codec.wire.published.admin.BackupEnd;
import io.entroq.codec.wire.published.admin.BackupFile;
import io.entroq.codec.wire.published.admin.BackupFileEnd;
import io.entroq.codec.wire.published.admin.BackupResponse;
import io.entroq.engine.backup.BackupReading;
import io.entroq.engine.log.LogException;
import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;

/** The pieces of one backup. */
final class BackupPieces implements PieceStream.Pieces<BackupResponse> {
  /** How long to retry if the files change while they are being opened. */
  private static final long PATIENCE_NS = TimeUnit.SECONDS.toNanos(15);

  private static final long PAUSE_NS = TimeUnit.MILLISECONDS.toNanos(50);

  private final BackupSource source;

  BackupPieces(BackupSource source) {
    this.source = source;
  }

  @Override
  public void sendTo(PieceStream<BackupResponse> stream) {
    try (OpenBackup open = open(stream)) {
      BackupReading reading = open.reading();
      BackupBegin.Builder begin =
          BackupBegin.newBuilder()
              .setSequence(reading.sequence())
              .setSnapshotSequence(reading.snapshotSequence())
              .setBytes(reading.bytes());
      open.aim().state().ifPresent(begin::setState);
      stream.send(BackupResponse.newBuilder().setBegin(begin).build());
      int files = 0;
      while (reading.nextFile()) {
        sendFile(reading, stream);
        files++;
      }
      stream.send(
          BackupResponse.newBuilder().setEnd(BackupEnd.newBuilder().setFiles(files)).build());
    }
  }

  private OpenBackup open(PieceStream<BackupResponse> stream) {
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
        stream.pause(PAUSE_NS);
      }
    }
  }

  private static void sendFile(BackupReading reading, PieceStream<BackupResponse> stream) {
    stream.send(
        BackupResponse.newBuilder()
            .setFile(BackupFile.newBuilder().setPath(reading.path()).setBytes(reading.fileBytes()))
            .build());
    // A new buffer for each message: the transport may hold it for any time.
    ByteBuffer piece = ByteBuffer.allocate(PieceStream.PIECE_BYTES);
    while (reading.read(piece)) {
      stream.send(
          BackupResponse.newBuilder()
              .setData(UnsafeByteOperations.unsafeWrap(piece.flip()))
              .build());
      piece = ByteBuffer.allocate(PieceStream.PIECE_BYTES);
    }
    stream.send(
        BackupResponse.newBuilder()
            .setFileEnd(BackupFileEnd.newBuilder().setCrc32C(reading.crc()))
            .build());
  }

  private record OpenBackup(BackupSource.Aim aim, BackupReading reading) implements AutoCloseable {
    @Override
    public void close() {
      reading.close();
    }
  }
}
