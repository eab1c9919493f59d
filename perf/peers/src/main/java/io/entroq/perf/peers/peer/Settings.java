package io.entroq.perf.peers.peer;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * How a peer is set up: what it is started with, what its client is given, and what the steps of a
 * cycle are. A peer configures itself from it, and the table of settings shows it. Immutable.
 *
 * @param promise what an acknowledgement of this peer means in its class, exactly
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

  /** Settings in a line; a dash if there are none. */
  public static String words(Map<String, String> settings) {
    return settings.isEmpty()
        ? "-"
        : settings.entrySet().stream()
            .map(entry -> entry.getKey() + "=" + entry.getValue())
            .collect(Collectors.joining(", "));
  }
}
