package io.entroq.examples.pools;

import static org.assertj.core.api.Assertions.assertThat;

import io.entroq.api.EntroQ;
import io.entroq.api.QueueQuery;
import io.entroq.api.worker.Worker;
import io.entroq.examples.testing.Served;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FairTenantsTest {
  @TempDir Path directory;

  private Served served;
  private EntroQ queue;

  @BeforeEach
  void serve() throws IOException {
    served = new Served(directory);
    queue = served.connect();
  }

  @AfterEach
  void stop() {
    queue.close();
    served.close();
  }

  @Test
  void shouldLetNobodyWaitForALargeTenant() throws InterruptedException {
    FairTenants.share(queue);
    FairTenants.insert(queue, "large", 200);
    for (int tenant = 0; tenant < 10; tenant++) {
      FairTenants.insert(queue, "small-" + tenant, 1);
    }
    assertThat(done(210).subList(0, 20))
        .filteredOn(tenant -> !tenant.equals("large"))
        .as("done among the first 20")
        .hasSize(10);
  }

  @Test
  void shouldGiveTenantsWithMoreWeightMore() throws InterruptedException {
    FairTenants.share(queue);
    FairTenants.insert(queue, "gold", 40);
    FairTenants.insert(queue, "plain", 40);
    assertThat(done(80).subList(0, 25))
        .filteredOn(tenant -> tenant.equals("gold"))
        .as("done among the first 25")
        .hasSizeBetween(19, 21);
  }

  @Test
  void shouldRun() throws InterruptedException {
    FairTenants.main(new String[] {served.address()});
    assertThat(queue.areQueuesEmpty(QueueQuery.startingWith("tenants"))).isTrue();
  }

  private List<String> done(int count) throws InterruptedException {
    BlockingQueue<String> done = new LinkedBlockingQueue<>();
    List<String> tenants = new ArrayList<>();
    try (Worker worker = FairTenants.start(queue, done::add)) {
      while (tenants.size() < count) {
        tenants.add(done.poll(30, TimeUnit.SECONDS));
      }
      assertThat(worker.isRunning()).isTrue();
    }
    return tenants;
  }
}
