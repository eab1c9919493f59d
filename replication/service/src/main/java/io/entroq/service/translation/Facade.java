package io.entroq.service.translation;

import com.google.protobuf.ByteString;
import com.google.protobuf.Message;
import com.google.protobuf.UnsafeByteOperations;
import io.entroq.codec.message.ValueKinds;
import io.entroq.codec.result.QueueStatsDecoder;
import io.entroq.codec.wire.IdKey;
import io.entroq.codec.wire.Ids;
import io.entroq.codec.wire.InvalidIdException;
import io.entroq.codec.wire.Values;
import io.entroq.codec.wire.edge.FeedRange;
import io.entroq.codec.wire.edge.FullQueue;
import io.entroq.codec.wire.edge.QueueStats;

/** One of the two APIs, and every way in which they differ (contract 2.0). */
public enum Facade {
  /** Ids are UUIDs, and the zero UUID is nobody; values are bytes. */
  V0("proto") {
    @Override
    IdKey readId(String field, String text) {
      return read(field, text, Ids::ofV0);
    }

    @Override
    IdKey newId() {
      return Ids.randomV0();
    }

    @Override
    String showId(long high, long low, String text) {
      return Ids.v0Text(high, low);
    }

    @Override
    int kindOf(boolean isPresent, ByteString value) {
      return value.isEmpty() ? ValueKinds.ABSENT : ValueKinds.BYTES;
    }

    @Override
    ByteString showValue(int kind, byte[] value) {
      return UnsafeByteOperations.unsafeWrap(kind == ValueKinds.JSON ? Values.toV0(value) : value);
    }

    @Override
    void showFigures(QueueStatsDecoder queue, QueueStats.Builder stats) {
      stats.setNumClaimed(count(queue.held()));
    }
  },

  /** Ids are free text, and the empty text is nobody; values are JSON. */
  V1("api") {
    @Override
    IdKey readId(String field, String text) {
      return read(field, text, Ids::ofV1);
    }

    @Override
    IdKey newId() {
      return Ids.randomV1();
    }

    @Override
    String showId(long high, long low, String text) {
      return Ids.v1Text(high, low, text);
    }

    @Override
    int kindOf(boolean isPresent, ByteString value) {
      return isPresent ? ValueKinds.JSON : ValueKinds.ABSENT;
    }

    @Override
    ByteString showValue(int kind, byte[] value) {
      return UnsafeByteOperations.unsafeWrap(kind == ValueKinds.BYTES ? Values.toV1(value) : value);
    }

    @Override
    void showFigures(QueueStatsDecoder queue, QueueStats.Builder stats) {
      stats.setNumClaimed(count(queue.claimed())).setNumFuture(count(queue.future()));
    }
  };

  /** The package of messages that EntroQ does not have. */
  private static final String EXTENSION_PACKAGE = "entroq.v1";

  private final String protoPackage;

  Facade(String protoPackage) {
    this.protoPackage = protoPackage;
  }

  /** The protobuf package of the API. */
  public String protoPackage() {
    return protoPackage;
  }

  /** The published name of the type of an error detail. */
  public String typeName(Message detail) {
    boolean isExtension = detail instanceof FullQueue || detail instanceof FeedRange;
    String packageName = isExtension ? EXTENSION_PACKAGE : protoPackage;
    return packageName + "." + detail.getDescriptorForType().getName();
  }

  /**
   * Reads an id or a claimant, which may be nobody.
   *
   * @throws RefusedException if it is invalid, with the field's name
   */
  abstract IdKey readId(String field, String text);

  /** A random id for a task that is inserted without one. */
  abstract IdKey newId();

  /** An id or a claimant as the API shows it. */
  abstract String showId(long high, long low, String text);

  /** The {@link ValueKinds} of a request's value. */
  abstract int kindOf(boolean isPresent, ByteString value);

  /** A value that is not absent, as the API shows it. Takes ownership of the bytes. */
  abstract ByteString showValue(int kind, byte[] value);

  /** Sets the statistics that the APIs define differently. */
  abstract void showFigures(QueueStatsDecoder queue, QueueStats.Builder stats);

  /** A count as an int, the type in the APIs. */
  static int count(long count) {
    return (int) Math.min(Integer.MAX_VALUE, count);
  }

  private static IdKey read(String field, String text, IdReader reader) {
    try {
      return reader.read(text);
    } catch (InvalidIdException e) {
      throw RefusedException.invalid(field + ": " + e.getMessage());
    }
  }

  @FunctionalInterface
  private interface IdReader {
    IdKey read(String text);
  }
}
