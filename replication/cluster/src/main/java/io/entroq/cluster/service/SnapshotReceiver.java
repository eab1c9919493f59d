package io.entroq.cluster.service;

import io.aeron.Image;
import io.aeron.ImageFragmentAssembler;
import io.aeron.logbuffer.Header;
import io.entroq.codec.record.Crc32c;
import io.entroq.codec.snapshot.ChunkFrame;
import io.entroq.engine.replica.ClientHosts;
import io.entroq.engine.state.StateLoader;
import io.entroq.engine.state.StateMachine;
import io.entroq.engine.state.StateMachineConfig;
import org.agrona.DirectBuffer;
import org.agrona.ExpandableArrayBuffer;
import org.agrona.concurrent.IdleStrategy;

/** Builds a state from a recorded snapshot, and believes nothing unchecked. Applying thread. */
final class SnapshotReceiver {
  private static final int FRAGMENTS = 64;

  private final StateLoader loader = new StateLoader(StateMachineConfig.DEFAULT);
  private final ExpandableArrayBuffer chunk = new ExpandableArrayBuffer();
  private final ChunkFrame frame = new ChunkFrame();
  private final Crc32c crc = new Crc32c();

  /** As the sender's. */
  private final Crc32c sums = new Crc32c();

  private final ExpandableArrayBuffer holdersRead = new ExpandableArrayBuffer();
  private int holdersBytes;
  private ClientHosts holders;
  private int format;
  private int filled;
  private long chunks;
  private long bytes;
  private long sequence = -1;
  private boolean isComplete;
  private RuntimeException failure;

  /**
   * Reads all of it.
   *
   * @throws SnapshotException if it is not what was written
   */
  StateMachine receive(Image image, IdleStrategy idle) {
    ImageFragmentAssembler assembler = new ImageFragmentAssembler(this::onFragment);
    try {
      while (!isComplete) {
        int fragments = image.poll(assembler, FRAGMENTS);
        if (failure != null) {
          throw failure;
        }
        if (fragments == 0 && image.isClosed()) {
          // Nothing is known of what did not come: another time it may.
          throw new SnapshotException(
              "reading the snapshot was broken off after %,d bytes".formatted(bytes));
        }
        if (fragments == 0 && image.isEndOfStream()) {
          break;
        }
        idle.idle(fragments);
      }
      return finish();
    } catch (Throwable t) {
      close();
      throw t;
    }
  }

  /** What is thrown from here the image would note, and go on with the next. */
  private void onFragment(DirectBuffer buffer, int offset, int length, Header header) {
    if (failure == null) {
      try {
        onMessage(buffer, offset, length);
      } catch (RuntimeException e) {
        failure = e;
      }
    }
  }

  /** All messages have been given. */
  StateMachine finish() {
    require(isComplete, "it ends after %,d bytes".formatted(bytes));
    return loader.finish();
  }

  /** Gives back what was taken for a state that is not going to be. */
  void close() {
    loader.close();
  }

  /** How many bytes of chunks there were. */
  long bytes() {
    return bytes;
  }

  /** Who held the callers, once all of it has been read. */
  ClientHosts holders() {
    return holders;
  }

  /** The next message. */
  void onMessage(DirectBuffer buffer, int offset, int length) {
    require(length >= SnapshotFrame.HEADER_BYTES, "a message is too short");
    int kind = SnapshotFrame.kind(buffer, offset);
    if (kind == SnapshotFrame.BEGIN) {
      begin(buffer, offset);
    } else {
      require(sequence >= 0 && !isComplete, "it does not begin with its beginning");
      if (kind == SnapshotFrame.HOLDERS) {
        onHolders(buffer, offset, length - SnapshotFrame.HEADER_BYTES);
        return;
      }
      require(SnapshotFrame.number(buffer, offset) == bytes, "a piece is missing");
      if (kind == SnapshotFrame.PIECE) {
        onPiece(buffer, offset + SnapshotFrame.HEADER_BYTES, length - SnapshotFrame.HEADER_BYTES);
      } else {
        require(kind == SnapshotFrame.END, "it has a message of a kind that there is not");
        require(SnapshotFrame.word(buffer, offset) == sums.value(), "its checksum is wrong");
        require(filled == 0, "its last chunk is not complete");
        readHolders();
        isComplete = true;
      }
    }
  }

  private void onHolders(DirectBuffer buffer, int offset, int length) {
    require(SnapshotFrame.number(buffer, offset) == holdersBytes, "holders of callers are missing");
    int from = offset + SnapshotFrame.HEADER_BYTES;
    require(
        SnapshotFrame.word(buffer, offset) == crc.of(buffer, from, length),
        "the checksum of holders is wrong");
    holdersRead.putBytes(holdersBytes, buffer, from, length);
    holdersBytes += length;
    if (format > SnapshotFrame.FORMAT_OLDEST) {
      sums.update(buffer, offset, SnapshotFrame.HEADER_BYTES);
    }
  }

  private void readHolders() {
    try {
      holders = ClientHosts.read(holdersRead, 0, holdersBytes);
    } catch (IllegalArgumentException e) {
      throw SnapshotException.damaged(e.getMessage());
    }
  }

  private void begin(DirectBuffer buffer, int offset) {
    require(sequence < 0, "it begins twice");
    format = SnapshotFrame.word(buffer, offset);
    require(format >= SnapshotFrame.FORMAT_OLDEST, "it is of format " + format);
    if (format > SnapshotFrame.FORMAT) {
      throw new SnapshotException("format %d: a newer build has written it".formatted(format));
    }
    sequence = SnapshotFrame.number(buffer, offset);
  }

  private void onPiece(DirectBuffer buffer, int offset, int length) {
    bytes += length;
    chunk.putBytes(filled, buffer, offset, length);
    filled += length;
    int needed = ChunkFrame.HEADER_BYTES;
    if (filled >= needed) {
      String fault = frame.faultOf(chunk, 0);
      require(fault.isEmpty(), fault);
      needed += frame.payloadLength();
    }
    require(filled <= needed, "a chunk is longer than it says");
    if (filled >= ChunkFrame.HEADER_BYTES && filled == needed) {
      load();
      filled = 0;
    }
  }

  private void load() {
    chunks++;
    require(frame.number() == chunks && frame.sequence() == sequence, "a chunk is out of order");
    int length = frame.payloadLength();
    require(
        crc.of(chunk, ChunkFrame.HEADER_BYTES, length) == frame.payloadCrc(),
        "the checksum of a chunk is wrong");
    sums.update(chunk, 0, ChunkFrame.HEADER_BYTES);
    loader.onChunk(frame.kind(), frame.items(), chunk, ChunkFrame.HEADER_BYTES, length);
  }

  private static void require(boolean isGood, String what) {
    if (!isGood) {
      throw SnapshotException.damaged(what);
    }
  }
}
