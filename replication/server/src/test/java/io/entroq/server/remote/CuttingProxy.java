package io.entroq.server.remote;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;

/** Passes connections on to a server, and cuts them when it is told to. */
final class CuttingProxy implements AutoCloseable {
  private static final int PIECE_BYTES = 1 << 14;
  private static final long PAUSE_NS = 10_000_000;

  private final ServerSocket listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
  private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();
  private final int target;

  /** Replies of connections below this number are not passed on. */
  private volatile int deafBelow;

  /** Connections below this number are there, and nothing comes of them any more. */
  private volatile int deadBelow;

  private volatile int accepted;

  CuttingProxy(int target) throws IOException {
    this.target = target;
    start(this::accept);
  }

  int port() {
    return listener.getLocalPort();
  }

  /** From now on requests arrive and replies do not, until the next cut. */
  void loseReplies() {
    deafBelow = Integer.MAX_VALUE;
  }

  /** Cuts all connections there are; new ones are as good as new. */
  void cut() {
    // One that is made meanwhile may not be cut, so its replies pass.
    deafBelow = accepted;
    sockets.forEach(CuttingProxy::close);
    sockets.clear();
  }

  /** Nothing passes over the connections there are, and neither end is told. */
  void fallSilent() {
    deadBelow = accepted;
  }

  /** As if the server stood still: connections are made, and nothing comes of any. */
  void hang() {
    deadBelow = Integer.MAX_VALUE;
  }

  private void accept() {
    try {
      while (true) {
        Socket client = listener.accept();
        Socket server = new Socket(InetAddress.getLoopbackAddress(), target);
        sockets.add(client);
        sockets.add(server);
        int number = accepted;
        accepted = number + 1;
        start(() -> pass(number, client, server, false));
        start(() -> pass(number, server, client, true));
      }
    } catch (IOException e) {
      // Closed, or there is no server now: the next connection will tell.
      if (!listener.isClosed()) {
        start(this::accept);
      }
    }
  }

  private void pass(int number, Socket from, Socket to, boolean isReply) {
    byte[] piece = new byte[PIECE_BYTES];
    try (InputStream in = from.getInputStream();
        OutputStream out = to.getOutputStream()) {
      int length = in.read(piece);
      while (length >= 0 && !isDead(number)) {
        if (!isReply || number >= deafBelow) {
          out.write(piece, 0, length);
        }
        length = in.read(piece);
      }
      while (isDead(number) && !listener.isClosed()) {
        LockSupport.parkNanos(PAUSE_NS);
      }
    } catch (IOException e) {
      // Cut.
      close(to);
    }
  }

  private boolean isDead(int number) {
    return number < deadBelow;
  }

  private static void start(Runnable work) {
    Thread thread = new Thread(work, "proxy");
    thread.setDaemon(true);
    thread.start();
  }

  private static void close(Socket socket) {
    try {
      socket.close();
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public void close() throws IOException {
    listener.close();
    cut();
  }
}
