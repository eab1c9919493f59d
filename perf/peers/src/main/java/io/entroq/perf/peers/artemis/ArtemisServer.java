package io.entroq.perf.peers.artemis;

import io.entroq.load.LoadTarget;
import io.entroq.perf.peers.peer.DurabilityClass;
import io.entroq.perf.peers.peer.Server;
import io.entroq.perf.peers.peer.Shape;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import org.apache.activemq.artemis.api.core.QueueConfiguration;
import org.apache.activemq.artemis.api.core.RoutingType;
import org.apache.activemq.artemis.api.core.TransportConfiguration;
import org.apache.activemq.artemis.api.core.client.ActiveMQClient;
import org.apache.activemq.artemis.api.core.client.ServerLocator;
import org.apache.activemq.artemis.core.config.Configuration;
import org.apache.activemq.artemis.core.config.impl.ConfigurationImpl;
import org.apache.activemq.artemis.core.remoting.impl.invm.InVMAcceptorFactory;
import org.apache.activemq.artemis.core.remoting.impl.invm.InVMConnectorFactory;
import org.apache.activemq.artemis.core.server.embedded.EmbeddedActiveMQ;
import org.apache.activemq.artemis.core.settings.impl.AddressSettings;

/** A broker in this process. */
// The broker declares any exception at its end.
@SuppressWarnings("try")
final class ArtemisServer implements Server {
  private static final int SYNC32_WINDOW_BYTES = 4 << 10;
  private static final int POOL_FILES = 20;
  private static final int FORCED_BYTES = 4 << 10;
  private static final int FORCES = 101;

  private final EmbeddedActiveMQ broker;
  private final boolean isDurable;

  private ArtemisServer(EmbeddedActiveMQ broker, boolean isDurable) {
    this.broker = broker;
    this.isDurable = isDurable;
  }

  static ArtemisServer start(DurabilityClass durability, Path directory) throws Exception {
    EmbeddedActiveMQ broker = new EmbeddedActiveMQ();
    broker.setConfiguration(configuration(durability, directory));
    broker.start();
    return new ArtemisServer(broker, durability != DurabilityClass.MEMORY);
  }

  private static Configuration configuration(DurabilityClass durability, Path directory)
      throws IOException {
    boolean isForced = durability == DurabilityClass.DISK;
    int bufferTimeoutNs = isForced ? forceNs(directory.resolve("force")) : 0;
    Configuration configuration =
        new ConfigurationImpl()
            .setPersistenceEnabled(durability != DurabilityClass.MEMORY)
            .setJournalType(ArtemisPeer.journal(durability))
            .setJournalDatasync(isForced)
            .setJournalSyncTransactional(true)
            .setJournalSyncNonTransactional(true)
            .setJournalBufferTimeout_AIO(bufferTimeoutNs)
            .setJournalBufferTimeout_NIO(bufferTimeoutNs)
            .setJournalPoolFiles(POOL_FILES)
            .setJournalDirectory(directory.resolve("journal").toString())
            .setBindingsDirectory(directory.resolve("bindings").toString())
            .setPagingDirectory(directory.resolve("paging").toString())
            .setLargeMessagesDirectory(directory.resolve("large").toString())
            .setSecurityEnabled(false)
            .setJMXManagementEnabled(false)
            .setMaxDiskUsage(-1);
    configuration.addAddressSetting("#", new AddressSettings().setMaxSizeBytes(-1));
    configuration.addAcceptorConfiguration(
        new TransportConfiguration(InVMAcceptorFactory.class.getName()));
    return configuration;
  }

  /** The median time of a forced write, measured as the broker's own setup does. */
  private static int forceNs(Path file) throws IOException {
    long[] ns = new long[FORCES];
    try (FileChannel channel =
        FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
      for (int i = 0; i < FORCES; i++) {
        long startNs = System.nanoTime();
        channel.write(ByteBuffer.allocate(FORCED_BYTES), (long) i * FORCED_BYTES);
        channel.force(false);
        ns[i] = System.nanoTime() - startNs;
      }
    }
    Arrays.sort(ns);
    return Math.toIntExact(ns[FORCES / 2]);
  }

  @Override
  public String version() {
    return broker.getActiveMQServer().getVersion().getFullVersion();
  }

  @Override
  public LoadTarget createQueue(String name, Shape shape) throws Exception {
    broker
        .getActiveMQServer()
        .createQueue(
            QueueConfiguration.of(name).setRoutingType(RoutingType.ANYCAST).setDurable(isDurable));
    return caller -> new ArtemisSession(locator(shape), name, isDurable, shape.isSynchronous());
  }

  private static ServerLocator locator(Shape shape) {
    ServerLocator locator =
        ActiveMQClient.createServerLocatorWithoutHA(
                new TransportConfiguration(InVMConnectorFactory.class.getName()))
            .setBlockOnDurableSend(shape.isSynchronous())
            .setBlockOnNonDurableSend(shape.isSynchronous())
            .setBlockOnAcknowledge(shape.isSynchronous());
    if (shape.isSynchronous()) {
      locator.setAckBatchSize(0);
    }
    if (shape.isSynchronous() && shape.callers() > 1) {
      // Tasks in one caller's window are unavailable to the others.
      locator.setConsumerWindowSize(SYNC32_WINDOW_BYTES);
    }
    return locator;
  }

  @Override
  public void close() throws Exception {
    broker.stop();
  }
}
