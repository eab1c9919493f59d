package io.entroq.perf.peers.beanstalkd;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.entroq.load.LoadSession;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;

/** One caller's connection: commands are written together, then their replies are read in order. */
final class BeanstalkdSession implements LoadSession {
  private static final int TIMEOUT_MS = 15_000;
  private static final int BUFFER_BYTES = 64 << 10;

  private final ByteArrayOutputStream commands = new ByteArrayOutputStream(BUFFER_BYTES);
  private final List<String> claimed = new ArrayList<>();
  private final Socket socket;
  private final InputStream in;

  BeanstalkdSession(int port, String tube) throws IOException {
    socket = new Socket(InetAddress.getLoopbackAddress(), port);
    socket.setTcpNoDelay(true);
    socket.setSoTimeout(TIMEOUT_MS);
    in = new BufferedInputStream(socket.getInputStream(), BUFFER_BYTES);
    command("use " + tube);
    command("watch " + tube);
    command("ignore default");
    send();
    expect("USING");
    expect("WATCHING");
    expect("WATCHING");
  }

  @Override
  public void insert(List<byte[]> values) throws IOException {
    for (byte[] value : values) {
      command("put 0 0 30 " + value.length);
      commands.writeBytes(value);
      command("");
    }
    send();
    for (int i = 0; i < values.size(); i++) {
      expect("INSERTED");
    }
  }

  @Override
  public List<byte[]> claim(int limit) throws IOException {
    claimed.clear();
    // The first waits for a task; the others take what is available.
    command("reserve-with-timeout 1");
    for (int i = 1; i < limit; i++) {
      command("reserve-with-timeout 0");
    }
    send();
    List<byte[]> values = new ArrayList<>(limit);
    for (int i = 0; i < limit; i++) {
      String reply = readLine();
      if (reply.startsWith("RESERVED ")) {
        String[] words = reply.split(" ", -1);
        claimed.add(words[1]);
        values.add(readValue(Integer.parseInt(words[2])));
      } else if (!reply.equals("TIMED_OUT")) {
        throw new IOException("unexpected answer to reserve: " + reply);
      }
    }
    return values;
  }

  @Override
  public void commit() throws IOException {
    claimed.forEach(id -> command("delete " + id));
    send();
    for (int i = 0; i < claimed.size(); i++) {
      expect("DELETED");
    }
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }

  private void command(String line) {
    commands.writeBytes((line + "\r\n").getBytes(US_ASCII));
  }

  private void send() throws IOException {
    commands.writeTo(socket.getOutputStream());
    commands.reset();
  }

  private void expect(String word) throws IOException {
    String reply = readLine();
    if (!reply.startsWith(word)) {
      throw new IOException("expected " + word + ", received " + reply);
    }
  }

  private byte[] readValue(int bytes) throws IOException {
    byte[] value = in.readNBytes(bytes);
    if (value.length < bytes || in.skip(2) < 2) {
      throw new EOFException("the connection ended inside a value");
    }
    return value;
  }

  private String readLine() throws IOException {
    StringBuilder line = new StringBuilder();
    int next = in.read();
    while (next != '\n') {
      if (next < 0) {
        throw new EOFException("the connection has ended");
      }
      line.append((char) next);
      next = in.read();
    }
    return line.substring(0, line.length() - 1);
  }
}
