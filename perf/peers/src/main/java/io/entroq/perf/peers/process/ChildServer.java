package io.entroq.perf.peers.process;

import io.entroq.perf.peers.peer.Server;
import java.io.IOException;
import java.util.concurrent.Callable;

/** A server that is a child of this process, and rests by being stopped. */
public abstract class ChildServer implements Server {
  private final Child child;

  /** Around a child that has been started. */
  protected ChildServer(Child child) {
    this.child = child;
  }

  /** Finishes a start; ends the child if that fails. */
  protected static <T> T started(Child child, Callable<T> rest) throws Exception {
    try {
      return rest.call();
    } catch (Throwable t) {
      child.close();
      throw t;
    }
  }

  @Override
  public final boolean canRest() {
    return true;
  }

  @Override
  public void rest() throws IOException {
    child.stop();
  }

  @Override
  public void wake() throws IOException {
    child.resume();
  }

  @Override
  public void close() throws IOException {
    child.close();
  }
}
