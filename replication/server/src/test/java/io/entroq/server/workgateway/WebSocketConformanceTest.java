package io.entroq.server.workgateway;

import static org.assertj.core.api.Assertions.assertThat;

import io.entroq.api.EntroQ;
import io.entroq.workers.GatewayConformance;
import io.entroq.workers.WorkGateway;
import java.io.IOException;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;

/** What works on a pipe works over a WebSocket. */
class WebSocketConformanceTest extends GatewayConformance {
  private static final Map<Integer, WorkGateway.End> ENDS =
      Map.of(
          1000, WorkGateway.End.OK,
          1013, WorkGateway.End.TRANSIENT,
          1008, WorkGateway.End.CALLER,
          1011, WorkGateway.End.GATEWAY);

  private WorkGatewayServer server;
  private Program program;

  @Override
  protected void open(WorkGateway.Builder config, EntroQ target) throws IOException {
    server = WorkGatewayServer.start(target, WorkGatewayServerTest.config(queues -> config));
    program = Program.connect(server.url() + "?queue=in&work=1");
  }

  @AfterEach
  void stop() {
    if (server != null) {
      program.vanish();
      server.close();
    }
  }

  @Override
  protected String receiveText() throws InterruptedException {
    return program.receiveText();
  }

  @Override
  protected void sendText(String message) {
    program.send(message);
  }

  @Override
  protected void hangUp() {
    program.close();
  }

  @Override
  protected WorkGateway.End awaitEnd() throws Exception {
    int code = program.awaitClosed().code();
    assertThat(ENDS).containsKey(code);
    return ENDS.get(code);
  }
}
