package io.entroq.codec.command;

/** Numbers of {@code ValueKind}. */
public final class ValueKinds {
  /** There is no value. */
  public static final int ABSENT = 0;

  /** Opaque bytes. */
  public static final int BYTES = 1;

  /** A serialized google.protobuf.Value. */
  public static final int JSON = 2;

  private ValueKinds() {}
}
