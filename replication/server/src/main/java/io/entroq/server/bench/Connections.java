package io.entroq.server.bench;

import io.entroq.api.EntroQ;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/** Clients of one server, each with its own connection. For one thread. */
public final class Connections implements AutoCloseable {
  private final String server;
  private final List<EntroQ> queues = new ArrayList<>();

  private Connections(String server) {
    this.server = server;
  }

  /**
   * @param server the address, as displayed
   * @param count number of connections
   * @param connect opens one connection
   */
  public static Connections open(String server, int count, Supplier<EntroQ> connect) {
    Connections connections = new Connections(server);
    try {
      for (int i = 0; i < count; i++) {
        connections.queues.add(connect.get());
      }
      return connections;
    } catch (RuntimeException e) {
      connections.close();
      throw e;
    }
  }

  /** One client per connection. */
  public List<EntroQ> queues() {
    return List.copyOf(queues);
  }

  public TargetDescription target() {
    return TargetDescription.ofServer(server, queues.size());
  }

  @Override
  public void close() {
    queues.forEach(EntroQ::close);
  }
}
