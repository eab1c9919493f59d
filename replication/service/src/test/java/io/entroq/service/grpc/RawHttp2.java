package io.entroq.service.grpc;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;

/** A connection of HTTP/2 that says to a server what it is told, frame by frame. */
public final class RawHttp2 implements AutoCloseable {
  static final byte[] PREFACE =
      "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(StandardCharsets.ISO_8859_1);
  static final int DATA = 0;
  static final int HEADERS = 1;
  static final int PRIORITY = 2;
  static final int RST_STREAM = 3;
  static final int SETTINGS = 4;
  static final int PING = 6;
  static final int GOAWAY = 7;
  static final int WINDOW_UPDATE = 8;
  static final int CONTINUATION = 9;
  static final int END_STREAM = 1;
  static final int END_HEADERS = 4;
  static final int PADDED = 8;

  private static final int TIMEOUT_MS = 60_000;
  private static final int HEAD_BYTES = 9;

  /** Headers of a call by their places in the tables, after {@link #firstCall}. */
  private static final byte[] KNOWN = {
    (byte) 0x83, (byte) 0x86, (byte) 0xc1, (byte) 0xc0, (byte) 0xbf, (byte) 0xbe
  };

  private final Socket plain;
  private final Socket socket;

  /** Connects, and says what each client says first. */
  public RawHttp2(int port, Optional<SSLContext> tls) throws IOException {
    plain = new Socket();
    plain.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), TIMEOUT_MS);
    plain.setSoTimeout(TIMEOUT_MS);
    socket = tls.isPresent() ? secure(plain, tls.get()) : plain;
    write(concat(PREFACE, frame(SETTINGS, 0, 0)));
  }

  private static Socket secure(Socket plain, SSLContext tls) throws IOException {
    SSLSocket secure =
        (SSLSocket) tls.getSocketFactory().createSocket(plain, "localhost", plain.getPort(), true);
    SSLParameters parameters = secure.getSSLParameters();
    parameters.setApplicationProtocols(new String[] {"h2"});
    secure.setSSLParameters(parameters);
    secure.startHandshake();
    return secure;
  }

  /** Says so many bytes; blocks while the server does not read. */
  public void write(byte[] bytes) throws IOException {
    socket.getOutputStream().write(bytes);
  }

  /** The next frame that comes; none: the connection has ended. */
  Optional<Frame> read() throws IOException {
    InputStream input = socket.getInputStream();
    byte[] head = input.readNBytes(HEAD_BYTES);
    if (head.length < HEAD_BYTES) {
      return Optional.empty();
    }
    ByteBuffer of = ByteBuffer.wrap(head);
    byte[] payload = input.readNBytes(of.getInt(0) >>> Byte.SIZE);
    return Optional.of(new Frame(head[3], head[4], of.getInt(5), payload));
  }

  /** A frame that has come. */
  record Frame(int type, int flags, int stream, byte[] payload) {
    /** Of the end of a connection. */
    int errorCode() {
      return ByteBuffer.wrap(payload).getInt(Integer.BYTES);
    }

    String errorText() {
      int from = 2 * Integer.BYTES;
      return new String(payload, from, payload.length - from, StandardCharsets.UTF_8);
    }
  }

  @Override
  public void close() {
    try {
      // Not by TLS, which would wait for whoever is writing.
      plain.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Begins the first call of a connection; its headers are kept in the table. */
  static byte[] firstCall(String path) {
    ByteArrayOutputStream headers = new ByteArrayOutputStream();
    headers.write(0x83);
    headers.write(0x86);
    literal(headers, 0x44, path);
    literal(headers, 0x41, "test");
    literal(headers, 0x5f, "application/grpc");
    literal(headers, 0x40, "te", "trailers");
    return frame(HEADERS, END_HEADERS, 1, headers.toByteArray());
  }

  /** A code, and texts with their lengths. */
  private static void literal(ByteArrayOutputStream headers, int code, String... texts) {
    headers.write(code);
    for (String text : texts) {
      headers.write(text.length());
      headers.writeBytes(text.getBytes(StandardCharsets.ISO_8859_1));
    }
  }

  /** Begins a further call of the same method. */
  static byte[] nextCall(int stream) {
    return frame(HEADERS, END_HEADERS, stream, KNOWN);
  }

  /** A call of a method as HTTP/2 has it, headers not to be remembered. */
  static byte[] call(String path, byte[] message) {
    ByteArrayOutputStream headers = new ByteArrayOutputStream();
    for (List<String> header :
        List.of(
            List.of(":method", "POST"),
            List.of(":scheme", "http"),
            List.of(":path", path),
            List.of(":authority", "test"),
            List.of("content-type", "application/grpc"),
            List.of("te", "trailers"))) {
      literal(headers, 0, header.get(0), header.get(1));
    }
    return concat(
        frame(HEADERS, END_HEADERS, 1, headers.toByteArray()), frame(DATA, END_STREAM, 1, message));
  }

  static byte[] frame(int type, int flags, int stream, byte... payload) {
    return ByteBuffer.allocate(HEAD_BYTES + payload.length)
        .putInt(payload.length << Byte.SIZE | type)
        .put((byte) flags)
        .putInt(stream)
        .put(payload)
        .array();
  }

  /** The same frame again and again, until there are about so many bytes. */
  static byte[] repeated(byte[] frame, int bytes) {
    int times = Math.max(1, bytes / frame.length);
    ByteBuffer all = ByteBuffer.allocate(times * frame.length);
    for (int i = 0; i < times; i++) {
      all.put(frame);
    }
    return all.array();
  }

  /** Frames that are well-formed by themselves, of any kind and to any stream. */
  public static byte[] randomFrames(SplittableRandom random, int bytes) {
    ByteArrayOutputStream frames = new ByteArrayOutputStream();
    frames.writeBytes(firstCall("/api.EntroQ/TryClaim"));
    while (frames.size() < bytes) {
      byte[] payload = new byte[random.nextInt(60)];
      random.nextBytes(payload);
      frames.writeBytes(frame(random.nextInt(12), random.nextInt(256), random.nextInt(6), payload));
    }
    return frames.toByteArray();
  }

  static byte[] concat(byte[]... parts) {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    for (byte[] part : parts) {
      all.writeBytes(part);
    }
    return all.toByteArray();
  }
}
