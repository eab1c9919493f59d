package io.entroq.simulator.model;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;

/** The clients that are known; the longest idle goes when there are too many (core 4.2). */
final class ClientTable {
  static final int CLIENTS_MAX = 65_536;

  private final LinkedHashMap<Key, Client> byIdleness = new LinkedHashMap<>();

  /** The client, or null. */
  Client find(Key key) {
    return byIdleness.get(key);
  }

  /** The client, who thereby is the least idle one, or null. */
  Client seen(Key key) {
    Client client = byIdleness.remove(key);
    if (client != null) {
      byIdleness.put(key, client);
    }
    return client;
  }

  Client admit(Key key) {
    if (byIdleness.size() == CLIENTS_MAX) {
      evictLongestIdle();
    }
    Client client = new Client(key);
    byIdleness.put(key, client);
    return client;
  }

  private void evictLongestIdle() {
    for (Client client : byIdleness.values()) {
      if (!client.hasParkedClaims()) {
        byIdleness.remove(client.key());
        return;
      }
    }
    throw new IllegalStateException("every client waits");
  }

  /** Every client: those with parked claims first, else the longest idle first. */
  List<Client> all() {
    List<Client> all = new ArrayList<>(byIdleness.values());
    all.sort(Comparator.comparing(client -> !client.hasParkedClaims()));
    return all;
  }
}
