package io.entroq.server.remote;

import static io.entroq.service.testing.Await.until;

import io.entroq.api.worker.Backoff;
import io.entroq.client.ClientConfig;
import io.entroq.client.EntroQClient;
import io.entroq.engine.embedded.EmbeddedConfig;
import io.entroq.engine.embedded.EmbeddedEntroQ;
import io.entroq.service.grpc.GrpcLimits;
import io.entroq.service.grpc.GrpcServer;
import io.entroq.service.grpc.GrpcServerConfig;
import io.entroq.service.tls.ServerTls;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Servers over one queue, as those of the members of a cluster are, each behind something that cuts
 * its connections, and each cut off from the queue when it is told to.
 */
final class Members implements AutoCloseable {
  private final EmbeddedEntroQ engine = EmbeddedEntroQ.open(EmbeddedConfig.inMemory().build());
  private final List<IsolatedGateway> gateways = new ArrayList<>();
  private final List<GrpcServer> servers = new ArrayList<>();
  private final List<CuttingProxy> proxies = new ArrayList<>();

  Members(int count) throws IOException {
    this(count, Optional.empty());
  }

  /**
   * @param tls what their connections are encrypted by; empty: nothing
   */
  Members(int count, Optional<ServerTls> tls) throws IOException {
    GrpcServerConfig config =
        new GrpcServerConfig(
            Optional.empty(),
            0,
            GrpcServerConfig.MESSAGE_BYTES_MAX_DEFAULT,
            GrpcLimits.DEFAULT,
            tls);
    for (int i = 0; i < count; i++) {
      IsolatedGateway gateway = new IsolatedGateway(engine.gateway());
      gateways.add(gateway);
      GrpcServer server = GrpcServer.start(gateway.gateway(), config);
      servers.add(server);
      proxies.add(new CuttingProxy(server.port()));
    }
  }

  /** The queue, to be asked behind the clients' backs. */
  EmbeddedEntroQ engine() {
    return engine;
  }

  IsolatedGateway gateway(int member) {
    return gateways.get(member);
  }

  GrpcServer server(int member) {
    return servers.get(member);
  }

  CuttingProxy proxy(int member) {
    return proxies.get(member);
  }

  /** Where all are, with commas in between. */
  String addresses() {
    return proxies.stream()
        .map(proxy -> "localhost:" + proxy.port())
        .collect(Collectors.joining(","));
  }

  ClientConfig.Builder config(Over over) {
    return ClientConfig.to(addresses())
        .streaming(over == Over.STREAM)
        .silence(Duration.ofMillis(200))
        .backoff(new Backoff(Duration.ofMillis(5), Duration.ofMillis(100), 0.5));
  }

  EntroQClient connect(Over over) {
    return EntroQClient.connect(config(over).build());
  }

  /** The one with connections; there has to be one. */
  int inUse() {
    until("one is asked", () -> servers.stream().anyMatch(server -> server.connections() > 0));
    for (int i = 0; i < servers.size(); i++) {
      if (servers.get(i).connections() > 0) {
        return i;
      }
    }
    throw new AssertionError("nobody is asked any more");
  }

  /** How many claims wait at all of them. */
  int blockedClaims() {
    return servers.stream().mapToInt(GrpcServer::blockedClaims).sum();
  }

  @Override
  public void close() throws IOException {
    for (CuttingProxy proxy : proxies) {
      proxy.close();
    }
    gateways.forEach(IsolatedGateway::rejoin);
    servers.forEach(GrpcServer::close);
    engine.close();
  }
}
