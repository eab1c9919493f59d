package io.entroq.perf.peers.peer;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * The settings of a peer and its client, and the steps of a cycle. A peer configures itself from
 * them, and the table of settings shows them. Immutable.
 *
 * @param promise what an acknowledgement of this peer means in its class
 * @param server settings of the server by name, in order
 * @param client settings of the client by name, in order
 * @param steps what insert, claim and commit do
 */
public record Settings(
    String promise, Map<String, String> server, Map<String, String> client, String steps) {
  /** Copies the maps. */
  public Settings {
    server = Collections.unmodifiableMap(new LinkedHashMap<>(server));
    client = Collections.unmodifiableMap(new LinkedHashMap<>(client));
  }

  /** Settings as a line; a dash if there are none. */
  public static String text(Map<String, String> settings) {
    return settings.isEmpty()
        ? "-"
        : settings.entrySet().stream()
            .map(entry -> entry.getKey() + "=" + entry.getValue())
            .collect(Collectors.joining(", "));
  }
}
