package io.entroq.service.http;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import javax.net.SocketFactory;

/** A connection that sends raw bytes to a server. */
final class RawHttp implements AutoCloseable {
  private static final int TIMEOUT_MS = 20_000;
  private static final int RECEIVE_BYTES_SLOW = 4 << 10;
  private static final String CONTENT_LENGTH = "content-length";

  private final Socket socket;
  private final InputStream input;

  RawHttp(int port) {
    this(port, SocketFactory.getDefault());
  }

  RawHttp(int port, SocketFactory sockets) {
    this(connected(port, sockets));
  }

  private RawHttp(Socket connected) {
    socket = connected;
    try {
      socket.setSoTimeout(TIMEOUT_MS);
      socket.setTcpNoDelay(true);
      input = new BufferedInputStream(socket.getInputStream());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** One on whose way to its reader there is room for little. */
  static RawHttp slow(int port) {
    try {
      Socket socket = new Socket();
      socket.setReceiveBufferSize(RECEIVE_BYTES_SLOW);
      socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
      return new RawHttp(socket);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** One from another address of this machine. */
  static RawHttp from(String address, int port) {
    try {
      return new RawHttp(
          new Socket(InetAddress.getByName("127.0.0.1"), port, InetAddress.getByName(address), 0));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Socket connected(int port, SocketFactory sockets) {
    try {
      return sockets.createSocket(InetAddress.getLoopbackAddress(), port);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  RawResponse get(String target, String... headers) {
    send("GET", target, new byte[0], headers);
    return receive();
  }

  RawResponse post(String target, String json, String... headers) {
    beginPost(target, json, headers);
    return receive();
  }

  /** Asks without waiting for the answer. */
  void beginPost(String target, String json, String... headers) {
    send("POST", target, json.getBytes(StandardCharsets.UTF_8), headers);
  }

  void send(String verb, String target, byte[] body, String... headers) {
    StringBuilder head = new StringBuilder();
    head.append(verb).append(' ').append(target).append(" HTTP/1.1\r\nHost: test\r\n");
    for (String header : headers) {
      head.append(header).append("\r\n");
    }
    if (body.length > 0) {
      head.append("Content-Length: ").append(body.length).append("\r\n");
    }
    ByteArrayOutputStream request = new ByteArrayOutputStream();
    request.writeBytes(head.append("\r\n").toString().getBytes(StandardCharsets.ISO_8859_1));
    request.writeBytes(body);
    write(request.toByteArray());
  }

  void write(String bytes) {
    write(bytes.getBytes(StandardCharsets.ISO_8859_1));
  }

  void write(byte[] bytes) {
    try {
      socket.getOutputStream().write(bytes);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  RawResponse receive() {
    try {
      int status = Integer.parseInt(line().split(" ", 3)[1]);
      Map<String, String> headers = headers();
      return new RawResponse(status, headers, body(status, headers));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The answer to a HEAD, which ends with its headers. */
  RawResponse receiveHead() {
    try {
      int status = Integer.parseInt(line().split(" ", 3)[1]);
      return new RawResponse(status, headers(), new byte[0]);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private Map<String, String> headers() throws IOException {
    Map<String, String> headers = new TreeMap<>();
    for (String line = line(); !line.isEmpty(); line = line()) {
      int colon = line.indexOf(':');
      headers.put(
          line.substring(0, colon).toLowerCase(Locale.ROOT), line.substring(colon + 1).trim());
    }
    return headers;
  }

  private byte[] body(int status, Map<String, String> headers) throws IOException {
    if (status < 200) {
      return new byte[0];
    }
    if ("chunked".equals(headers.get("transfer-encoding"))) {
      byte[] body = chunks();
      headers.putAll(headers());
      return body;
    }
    return headers.containsKey(CONTENT_LENGTH)
        ? exactly(Integer.parseInt(headers.get(CONTENT_LENGTH)))
        : input.readAllBytes();
  }

  private byte[] chunks() throws IOException {
    ByteArrayOutputStream body = new ByteArrayOutputStream();
    while (true) {
      int length = Integer.parseInt(line(), 16);
      if (length == 0) {
        return body.toByteArray();
      }
      body.writeBytes(exactly(length));
      line();
    }
  }

  /** The next chunk of an answer whose head was received; empty after the last one. */
  String chunk() {
    try {
      int length = Integer.parseInt(line(), 16);
      String chunk = new String(exactly(length), StandardCharsets.UTF_8);
      String end = line();
      if (!end.isEmpty()) {
        throw new IOException("after a chunk: " + end);
      }
      return chunk;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private byte[] exactly(int length) throws IOException {
    byte[] bytes = input.readNBytes(length);
    if (bytes.length < length) {
      throw new EOFException(bytes.length + " bytes of " + length);
    }
    return bytes;
  }

  private String line() throws IOException {
    StringBuilder line = new StringBuilder();
    for (int next = input.read(); next != '\n'; next = input.read()) {
      if (next < 0) {
        throw new EOFException("after: " + line);
      }
      line.append((char) next);
    }
    return line.toString().strip();
  }

  /** Whether an answer begins to come within a time. */
  boolean hasAnswerWithin(int ms) {
    try {
      socket.setSoTimeout(ms);
      input.mark(1);
      int first = input.read();
      input.reset();
      socket.setSoTimeout(TIMEOUT_MS);
      return first >= 0;
    } catch (SocketTimeoutException e) {
      return false;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Whether the server has ended the connection, for which this waits. */
  boolean isEnded() {
    try {
      return input.read() < 0;
    } catch (IOException e) {
      // As after a reset.
      return !(e instanceof SocketTimeoutException);
    }
  }

  @Override
  public void close() {
    try {
      socket.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
