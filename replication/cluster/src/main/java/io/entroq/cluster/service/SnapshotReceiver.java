package io.entroq.cluster.service;

import io.aeron.Image;
import io.aeron.ImageFragmentAssembler;
import io.aeron.logbuffer.Header;
import io.entroq.cluster.image.ImageStore;
import io.entroq.codec.record.Crc32c;
import io.entroq.codec.snapshot.ChunkFrame;
import io.entroq.engine.replica.ClientHosts;
import io.entroq.engine.snapshot.SnapshotDamagedException;
import io.entroq.engine.state.Levels;
import io.entroq.engine.state.StateLoader;
import io.entroq.engine.state.StateMachine;
import io.entroq.engine.state.StateMachineConfig;
import org.agrona.DirectBuffer;
import org.agrona.ExpandableArrayBuffer;
import org.agrona.concurrent.IdleStrategy;

/**
 * Builds a state from a recorded snapshot, or the image that it refers to, and verifies every part.
 * Applying thread.
 */
final class SnapshotReceiver {
  private static final int FRAGMENTS = 64;

  private final ImageStore images;
  private final StateLoader loader = new StateLoader(StateMachineConfig.DEFAULT);
  private final ExpandableArrayBuffer chunk = new ExpandableArrayBuffer();
  private final ChunkFrame frame = new ChunkFrame();
  private final Crc32c crc = new Crc32c();

  /** See {@link SnapshotSender}. */
  private final Crc32c totalCrc = new Crc32c();

  private final ExpandableArrayBuffer hostsBuffer = new ExpandableArrayBuffer();
  private int hostsBytes;
  private ClientHosts hosts;
  private int filled;
  private long chunks;
  private long bytes;
  private long sequence = -1;
  private int format;

  /** What identifies the image; null if the snapshot holds the state. */
  private byte[] reference;

  private boolean isComplete;
  private RuntimeException failure;

  /**
   * @param images of this member
   */
  SnapshotReceiver(ImageStore images) {
    this.images = images;
  }

  /**
   * Reads the snapshot.
   *
   * @throws SnapshotException if it is damaged or reading was interrupted
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
          // Not known to be damaged: a retry may succeed.
          throw new SnapshotException(
              "reading the snapshot was interrupted after %,d bytes".formatted(bytes));
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

  /** Stores exceptions, because the image would log them and continue. */
  private void onFragment(DirectBuffer buffer, int offset, int length, Header header) {
    if (failure == null) {
      try {
        onMessage(buffer, offset, length);
      } catch (RuntimeException e) {
        failure = e;
      }
    }
  }

  /** Returns the state after the last message. */
  StateMachine finish() {
    require(isComplete, "it ends early, after %,d bytes".formatted(bytes));
    return reference == null ? loader.finish() : loadImage();
  }

  private StateMachine loadImage() {
    loader.close();
    bytes = images.bytes(sequence);
    try {
      return images.load(sequence, reference);
    } catch (SnapshotDamagedException e) {
      throw SnapshotException.damaged(e.trouble());
    }
  }

  /** Releases an incomplete state. */
  void close() {
    loader.close();
  }

  /** Bytes of all chunks, or of the image. */
  long bytes() {
    return bytes;
  }

  /** The client hosts; null before the whole snapshot has been read. */
  ClientHosts hosts() {
    return hosts;
  }

  void onMessage(DirectBuffer buffer, int offset, int length) {
    require(length >= SnapshotFrame.HEADER_BYTES, "a message is too short");
    int kind = SnapshotFrame.kind(buffer, offset);
    if (kind == SnapshotFrame.BEGIN) {
      begin(buffer, offset);
    } else {
      require(sequence >= 0 && !isComplete, "its begin message is missing");
      if (kind == SnapshotFrame.HOSTS) {
        onHosts(buffer, offset, length - SnapshotFrame.HEADER_BYTES);
        return;
      }
      if (kind == SnapshotFrame.REFERENCE) {
        onReference(buffer, offset, length - SnapshotFrame.HEADER_BYTES);
        return;
      }
      require(SnapshotFrame.number(buffer, offset) == bytes, "a piece is missing");
      if (kind == SnapshotFrame.PIECE) {
        require(format == SnapshotFrame.FORMAT, "it refers to an image and holds a state");
        onPiece(buffer, offset + SnapshotFrame.HEADER_BYTES, length - SnapshotFrame.HEADER_BYTES);
      } else {
        require(kind == SnapshotFrame.END, "it has a message of an unknown kind");
        require(SnapshotFrame.word(buffer, offset) == totalCrc.value(), "its checksum is wrong");
        require(filled == 0, "its last chunk is incomplete");
        require(
            (reference != null) == (format == SnapshotFrame.REFERENCE_FORMAT),
            "it has no reference to an image");
        readHosts();
        isComplete = true;
      }
    }
  }

  private void onHosts(DirectBuffer buffer, int offset, int length) {
    require(SnapshotFrame.number(buffer, offset) == hostsBytes, "client hosts are missing");
    int from = requireChecked(buffer, offset, length);
    hostsBuffer.putBytes(hostsBytes, buffer, from, length);
    hostsBytes += length;
  }

  private void onReference(DirectBuffer buffer, int offset, int length) {
    require(
        format == SnapshotFrame.REFERENCE_FORMAT && reference == null && hostsBytes == 0,
        "a reference to an image is out of order");
    int from = requireChecked(buffer, offset, length);
    reference = new byte[length];
    buffer.getBytes(from, reference);
  }

  /** Returns where the piece of a message with a checksum begins. */
  private int requireChecked(DirectBuffer buffer, int offset, int length) {
    int from = offset + SnapshotFrame.HEADER_BYTES;
    require(
        SnapshotFrame.word(buffer, offset) == crc.of(buffer, from, length),
        "the checksum of a piece is wrong");
    totalCrc.update(buffer, offset, SnapshotFrame.HEADER_BYTES);
    return from;
  }

  private void readHosts() {
    try {
      hosts = ClientHosts.read(hostsBuffer, 0, hostsBytes);
    } catch (IllegalArgumentException e) {
      throw SnapshotException.damaged(e.getMessage());
    }
  }

  private void begin(DirectBuffer buffer, int offset) {
    require(sequence < 0, "it begins twice");
    format = SnapshotFrame.word(buffer, offset);
    require(format >= SnapshotFrame.FORMAT, "its format is " + format);
    if (format > SnapshotFrame.REFERENCE_FORMAT) {
      throw new SnapshotException(
          "the snapshot has format %d: a newer build has written it".formatted(format));
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
      requireFormat(frame.format());
      needed += frame.payloadLength();
    }
    require(filled <= needed, "a chunk is longer than its header says");
    if (filled >= ChunkFrame.HEADER_BYTES && filled == needed) {
      load();
      filled = 0;
    }
  }

  private static void requireFormat(int format) {
    boolean isOld = format < Levels.format(Levels.MIN);
    if (isOld || format > Levels.format(Levels.highest())) {
      throw new SnapshotException(
          "the state in the snapshot has format %d: %s has written it"
              .formatted(format, isOld ? "a build before the first release" : "a newer build"));
    }
  }

  private void load() {
    chunks++;
    require(frame.number() == chunks && frame.sequence() == sequence, "a chunk is out of order");
    int length = frame.payloadLength();
    require(
        crc.of(chunk, ChunkFrame.HEADER_BYTES, length) == frame.payloadCrc(),
        "the checksum of a chunk is wrong");
    totalCrc.update(chunk, 0, ChunkFrame.HEADER_BYTES);
    loader.onChunk(frame.kind(), frame.items(), chunk, ChunkFrame.HEADER_BYTES, length);
  }

  private static void require(boolean isGood, String what) {
    if (!isGood) {
      throw SnapshotException.damaged(what);
    }
  }
}
