package io.entroq.perf.peers;

import io.entroq.api.Durability;
import io.entroq.api.Modification;
import io.entroq.api.QueuePolicy;
import io.entroq.engine.embedded.EmbeddedConfig;
import io.entroq.engine.embedded.EmbeddedEntroQ;
import io.entroq.load.EntroQSession;
import io.entroq.load.LoadTarget;
import io.entroq.perf.peers.peer.DurabilityClass;
import io.entroq.perf.peers.peer.Peer;
import io.entroq.perf.peers.peer.Server;
import io.entroq.perf.peers.peer.Settings;
import io.entroq.perf.peers.peer.Shape;
import io.entroq.perf.peers.peer.Topic;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;

/** EntroQ for the JVM, embedded in this process. */
public final class EntroQPeer extends Peer {
  public EntroQPeer() {
    super("entroq", "EntroQ", EnumSet.allOf(DurabilityClass.class));
  }

  @Override
  public Settings settings(DurabilityClass durability) {
    return new Settings(
        switch (durability) {
          case MEMORY -> "a reply means applied in memory; there is no log";
          case OS -> "a reply means that its record is in the page cache";
          case DISK -> "a reply means that its record is forced, many to one force";
        },
        Map.of(
            "EmbeddedConfig",
            durability == DurabilityClass.MEMORY
                ? "inMemory()"
                : "in(dir)" + ".durability(" + level(durability) + ")"),
        Map.of(),
        "modify(insert of n); claim of up to n under a lease; modify(delete of n)");
  }

  @Override
  public Server start(DurabilityClass durability, Path directory) {
    EmbeddedEntroQ engine = EmbeddedEntroQ.open(config(durability, directory));
    return new Server() {
      @Override
      public String version() {
        return "this build";
      }

      @Override
      public LoadTarget createQueue(String name, Shape shape) {
        return caller -> new EntroQSession(engine, name);
      }

      @Override
      public Topic createTopic(String name, List<String> groups) {
        QueuePolicy topic = QueuePolicy.of(name).groups(groups.toArray(String[]::new));
        engine.modify(Modification.put(topic)).orThrow();
        return new EntroQTopic(engine, name);
      }

      @Override
      public void close() {
        engine.close();
      }
    };
  }

  private static EmbeddedConfig config(DurabilityClass durability, Path directory) {
    return durability == DurabilityClass.MEMORY
        ? EmbeddedConfig.inMemory().build()
        : EmbeddedConfig.in(directory.resolve("data")).durability(level(durability)).build();
  }

  private static Durability level(DurabilityClass durability) {
    return switch (durability) {
      case MEMORY -> Durability.NONE;
      case OS -> Durability.OS;
      case DISK -> Durability.DISK;
    };
  }
}
