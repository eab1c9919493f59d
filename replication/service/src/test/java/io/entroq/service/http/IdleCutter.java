package io.entroq.service.http;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

/** A proxy that cuts a connection if the server sends nothing for some time. */
final class IdleCutter implements AutoCloseable {
  private final ServerSocket listener;
  private final int target;
  private final int idleMsMax;
  private final List<Socket> open = new CopyOnWriteArrayList<>();
  private final AtomicInteger cut = new AtomicInteger();

  IdleCutter(int target, Duration idleMax) throws IOException {
    this.target = target;
    idleMsMax = Math.toIntExact(idleMax.toMillis());
    listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    start(this::accept);
  }

  int port() {
    return listener.getLocalPort();
  }

  /** The connections that it has cut. */
  int cut() {
    return cut.get();
  }

  private void accept() {
    while (!listener.isClosed()) {
      try {
        Socket caller = listener.accept();
        open.add(caller);
        Socket server = new Socket(InetAddress.getLoopbackAddress(), target);
        open.add(server);
        server.setSoTimeout(idleMsMax);
        start(() -> forward(caller, server));
        start(() -> forward(server, caller));
      } catch (IOException e) {
        // Closed.
        return;
      }
    }
  }

  private void forward(Socket from, Socket to) {
    try (from;
        to) {
      InputStream input = from.getInputStream();
      OutputStream output = to.getOutputStream();
      byte[] bytes = new byte[1 << 10];
      for (int read = input.read(bytes); read >= 0; read = input.read(bytes)) {
        output.write(bytes, 0, read);
      }
    } catch (SocketTimeoutException e) {
      cut.incrementAndGet();
    } catch (IOException e) {
      // One of them has gone, and the other goes too.
    }
  }

  private static void start(Runnable work) {
    Thread thread = new Thread(work, "proxy");
    thread.setDaemon(true);
    thread.start();
  }

  @Override
  public void close() {
    try {
      listener.close();
      for (Socket socket : open) {
        socket.close();
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
