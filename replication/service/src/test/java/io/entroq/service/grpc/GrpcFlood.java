package io.entroq.service.grpc;

import static io.entroq.service.grpc.RawHttp2.CONTINUATION;
import static io.entroq.service.grpc.RawHttp2.DATA;
import static io.entroq.service.grpc.RawHttp2.END_HEADERS;
import static io.entroq.service.grpc.RawHttp2.END_STREAM;
import static io.entroq.service.grpc.RawHttp2.HEADERS;
import static io.entroq.service.grpc.RawHttp2.PADDED;
import static io.entroq.service.grpc.RawHttp2.PING;
import static io.entroq.service.grpc.RawHttp2.PRIORITY;
import static io.entroq.service.grpc.RawHttp2.RST_STREAM;
import static io.entroq.service.grpc.RawHttp2.SETTINGS;
import static io.entroq.service.grpc.RawHttp2.WINDOW_UPDATE;
import static io.entroq.service.grpc.RawHttp2.concat;
import static io.entroq.service.grpc.RawHttp2.firstCall;
import static io.entroq.service.grpc.RawHttp2.frame;
import static io.entroq.service.grpc.RawHttp2.nextCall;
import static io.entroq.service.grpc.RawHttp2.repeated;

import java.io.ByteArrayOutputStream;
import java.util.function.IntFunction;

/** What cheap frames of HTTP/2 a sender can have a server read for ever. */
public enum GrpcFlood {
  EMPTY_DATA(frame(DATA, 0, 1)),
  /** Padding is no data. */
  PADDED_DATA(frame(DATA, PADDED, 1, (byte) 3, (byte) 0, (byte) 0, (byte) 0)),
  /** A message of which each frame has a byte. */
  TINY_DATA(
      concat(call(), frame(DATA, 0, 1, (byte) 0, (byte) 0, (byte) 0x50, (byte) 0, (byte) 0)),
      frame(DATA, 0, 1, (byte) 0)),
  RAPID_RESET(stream -> concat(nextCall(stream), reset(stream))),
  /** The server is made to reset each call. */
  MADE_RESET(stream -> concat(nextCall(stream), frame(WINDOW_UPDATE, 0, stream, new byte[4]))),
  SAME_RESET(reset(1)),
  EMPTY_HEADERS(stream -> frame(HEADERS, END_HEADERS | END_STREAM, stream)),
  EMPTY_CONTINUATION(concat(call(), frame(HEADERS, 0, 3, (byte) 0x83)), frame(CONTINUATION, 0, 3)),
  PRIORITIES(frame(PRIORITY, 0, 1, (byte) 0, (byte) 0, (byte) 0, (byte) 0, (byte) 1)),
  PINGS(frame(PING, 0, 0, new byte[8])),
  SETTINGS_AGAIN(frame(SETTINGS, 0, 0)),
  SETTINGS_ACKS(frame(SETTINGS, 1, 0)),
  WINDOW_UPDATES(frame(WINDOW_UPDATE, 0, 0, (byte) 0, (byte) 0, (byte) 0, (byte) 1)),
  UNKNOWN_FRAMES(frame(0x42, 0, 0));

  private static final int BYTES = 32 << 10;

  private final byte[] first;
  private final IntFunction<byte[]> ofStream;
  private final byte[] same;

  GrpcFlood(byte[] frame) {
    this(call(), frame);
  }

  GrpcFlood(byte[] first, byte[] frame) {
    this.first = first;
    this.same = repeated(frame, BYTES);
    this.ofStream = null;
  }

  GrpcFlood(IntFunction<byte[]> ofStream) {
    this.first = call();
    this.same = null;
    this.ofStream = ofStream;
  }

  /** A call that waits for its message. */
  private static byte[] call() {
    return firstCall("/api.EntroQ/Claim");
  }

  private static byte[] reset(int stream) {
    return frame(RST_STREAM, 0, stream, (byte) 0, (byte) 0, (byte) 0, (byte) 8);
  }

  /** What is said once. */
  public byte[] first() {
    return first;
  }

  /** What is said again and again: about 32 KiB, after so many others. */
  public byte[] more(int round) {
    if (same != null) {
      return same;
    }
    int length = ofStream.apply(1).length;
    int calls = BYTES / length;
    ByteArrayOutputStream all = new ByteArrayOutputStream(BYTES);
    for (int i = 0; i < calls; i++) {
      all.writeBytes(ofStream.apply(3 + 2 * (round * calls + i)));
    }
    return all.toByteArray();
  }
}
