package io.entroq.workers;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;

/** Messages over two streams: one a line. Reads on a thread of its own. */
final class LineTransport implements GatewayTransport {
  /** A longer line is no message. */
  private static final int LINE_BYTES_MAX = 64 << 20;

  private final InputStream in;
  private final OutputStream out;

  LineTransport(InputStream in, OutputStream out) {
    this.in = new BufferedInputStream(in);
    this.out = out;
  }

  @Override
  public void start(Receiver receiver) {
    Thread thread = new Thread(() -> read(receiver), "entroq-gateway");
    thread.setDaemon(true);
    thread.start();
  }

  private void read(Receiver receiver) {
    try {
      for (byte[] line = readLine(); line != null; line = readLine()) {
        receiver.onMessage(line);
      }
      receiver.onHangUp("");
    } catch (IOException e) {
      receiver.onHangUp(e.getMessage());
    }
  }

  /** The next line that is not blank; null at the end. */
  private byte[] readLine() throws IOException {
    ByteArrayOutputStream line = new ByteArrayOutputStream();
    for (int b = in.read(); b >= 0; b = in.read()) {
      if (b != '\n') {
        line.write(b);
      } else if (line.toString(StandardCharsets.UTF_8).isBlank()) {
        line.reset();
      } else {
        return line.toByteArray();
      }
      if (line.size() > LINE_BYTES_MAX) {
        throw new IOException("a line has more than %,d bytes".formatted(LINE_BYTES_MAX));
      }
    }
    return null;
  }

  @Override
  public synchronized void send(byte[] json) throws IOException {
    ByteArrayOutputStream line = new ByteArrayOutputStream(json.length + 1);
    line.write(json);
    line.write('\n');
    out.write(line.toByteArray());
    out.flush();
  }
}
