package io.entroq.perf.peers.sqlite;

import io.entroq.perf.peers.peer.DurabilityClass;
import io.entroq.perf.peers.peer.Peer;
import io.entroq.perf.peers.peer.Server;
import io.entroq.perf.peers.peer.Settings;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * SQLite in this process. It allows one writer, and a claim writes, so callers share one
 * connection. They wait for it in the JVM instead of in SQLite's busy handler.
 */
public final class SqlitePeer extends Peer {
  public SqlitePeer() {
    super("sqlite", "SQLite", EnumSet.allOf(DurabilityClass.class));
  }

  @Override
  public Settings settings(DurabilityClass durability) {
    Map<String, String> pragmas = new LinkedHashMap<>();
    pragmas.put("locking_mode", "EXCLUSIVE");
    pragmas.put("temp_store", "MEMORY");
    pragmas.put("cache_size", "-65536");
    if (durability == DurabilityClass.MEMORY) {
      pragmas.put("journal_mode", "MEMORY");
      pragmas.put("synchronous", "OFF");
    } else {
      pragmas.put("journal_mode", "WAL");
      pragmas.put("synchronous", durability == DurabilityClass.DISK ? "FULL" : "OFF");
      pragmas.put("wal_autocheckpoint", "4000");
    }
    return new Settings(
        switch (durability) {
          case MEMORY -> "a database in memory";
          case OS -> "a transaction is written to its log, never forced";
          case DISK -> "a transaction is forced with its log, one force for each";
        },
        pragmas,
        Map.of("connections", "1, which callers take in turns, not in order"),
        SqliteServer.STEPS);
  }

  @Override
  public Server start(DurabilityClass durability, Path directory) throws SQLException {
    String database =
        durability == DurabilityClass.MEMORY
            ? ":memory:"
            : directory.resolve("tasks.db").toString();
    Connection connection = DriverManager.getConnection("jdbc:sqlite:" + database);
    try (Statement statement = connection.createStatement()) {
      for (Map.Entry<String, String> pragma : settings(durability).server().entrySet()) {
        statement.execute("PRAGMA " + pragma.getKey() + "=" + pragma.getValue());
      }
    }
    connection.setAutoCommit(false);
    return new SqliteServer(connection);
  }
}
