package io.entroq.server.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The flags of EntroQ's own servers, contract 4.1, in both spellings, with = or a blank, after the
 * command or without one.
 */
class ServeFlagsTest {
  private static final List<List<String>> COMMANDS = List.of(List.of("serve"), List.of());

  @TempDir private Path directory;

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "port | 1234 | 1234 |",
        "port | 0 | 0 |",
        "http_port | 1235 | 1235 |",
        "max_size_mb | 20 | 20 |",
        "authz | none | none |",
        "authz | opahttp | opahttp |",
        "opa_url | http://opa:1/x | 'http://opa:1/x' | --authz=opahttp",
        "opa_path | /v1/data/x | /v1/data/x | --authz=opahttp",
        "authn | none | none |",
        "auth_jwks_url | https://i/k | 'https://i/k' | --authn=jwt --auth_issuer=i --auth_audience=a",
        "auth_jwks_file | k | k | --authn=jwt --auth_issuer=i --auth_audience=a",
        "auth_jwks_token_file | t | t | --authn=jwt --auth_issuer=i --auth_audience=a --auth_jwks_url=https://i",
        "auth_ca_file | c | c | --authn=jwt --auth_issuer=i --auth_audience=a --auth_jwks_url=https://i",
        "auth_issuer | i | i | --authn=jwt --auth_audience=a --auth_jwks_url=https://i",
        "auth_audience | a,b | 'a,b' | --authn=jwt --auth_issuer=i --auth_jwks_url=https://i",
        "auth_token_cache_ttl | 1m0s | 1m | --authn=jwt --auth_issuer=i --auth_audience=a --auth_jwks_url=https://i",
        "auth_token_cache_entries | 7 | 7 | --authn=jwt --auth_issuer=i --auth_audience=a --auth_jwks_url=https://i",
        "auth_jwks_cache_ttl | 1m0s | 1m | --authn=jwt --auth_issuer=i --auth_audience=a --auth_jwks_url=https://i",
        "auth_jwks_refresh_interval | 1m0s | 1m | --authn=jwt --auth_issuer=i --auth_audience=a --auth_jwks_url=https://i",
        "auth_http_timeout | 1m0s | 1m | --authn=jwt --auth_issuer=i --auth_audience=a --auth_jwks_url=https://i",
        "authz | mesh | mesh | --mesh_update_subject=s --authn=jwt --auth_issuer=i --auth_audience=a --auth_jwks_file=k",
        "mesh_policy_file | p | p | --authz=mesh --mesh_update_subject=s --authn=jwt --auth_issuer=i --auth_audience=a --auth_jwks_file=k",
        "mesh_update_subject | s:t | 's:t' | --authz=mesh --authn=jwt --auth_issuer=i --auth_audience=a --auth_jwks_file=k",
        "journal | some/journal | some/journal |",
        "mkdir | true | true | --journal=j",
        "mkdir | false | false | --journal=j",
        "snapshot_and_quit | true | true | --journal=j",
        "periodic_snapshot | 1h | 1h | --journal=j",
        "periodic_snapshot | 1h0m0s | 1h | --journal=j",
        "periodic_snapshot | 90s | 1m30s | --journal=j",
        "journal_cleanup | true | true | --journal=j --periodic_snapshot=1h",
        "readiness_interval | 1s | 1s |",
        "journal_max_items | 100 | 100 | --journal=j",
        "journal_max_bytes | 1048576 | 1048576 | --journal=j"
      },
      quoteCharacter = '`')
  void shouldAcceptEachFormOfFlag(String flag, String value, String printed, String others) {
    String name = flag.replace('_', '-');
    for (List<String> command : COMMANDS) {
      for (String spelling : List.of("--" + flag, "--" + name)) {
        for (List<String> form :
            List.of(List.of(spelling + "=" + value), List.of(spelling, value))) {
          // Without a command, the first argument must be a server flag.
          List<String> words = new ArrayList<>(command);
          words.addAll(form);
          words.addAll(others == null ? List.of() : List.of(others.split(" ", -1)));
          assertThat(printed(words))
              .containsPattern(
                  "\\n" + name + ": " + Pattern.quote(printed) + " +# " + spelling + "\\n");
        }
      }
    }
  }

  @ParameterizedTest
  @CsvSource({
    "mkdir, --journal=j",
    "snapshot_and_quit, --journal=j",
    "journal_cleanup, --journal=j --snapshot_and_quit"
  })
  void shouldEnableFlagWithoutValue(String flag, String others) {
    String name = flag.replace('_', '-');
    for (List<String> command : COMMANDS) {
      for (String spelling : List.of("--" + flag, "--" + name)) {
        List<String> words = new ArrayList<>(command);
        words.add(spelling);
        words.addAll(List.of(others.split(" ", -1)));
        assertThat(printed(words)).containsPattern("\\n" + name + ": true +# " + spelling + "\\n");
      }
    }
  }

  @Test
  void shouldAddUpRepeatedFlagsOfAList() {
    assertThat(
            printed(
                List.of(
                    "--authn=jwt",
                    "--auth_issuer=i",
                    "--auth_jwks_file=k",
                    "--auth_audience=a",
                    "--auth_audience=b,c")))
        .contains("\nauth-audience: 'a,b,c' ");
  }

  @Test
  void shouldReadConfigFileInEachForm() throws Exception {
    String file = Files.writeString(directory.resolve("eqmem.yml"), "http_port: 4001").toString();
    for (List<String> command : COMMANDS) {
      for (List<String> form : List.of(List.of("--config", file), List.of("--config=" + file))) {
        List<String> words = new ArrayList<>(command);
        words.addAll(form);
        assertThat(printed(words)).containsPattern("\\nhttp-port: 4001 +# .*eqmem.yml:1");
      }
    }
  }

  @Test
  void shouldRejectWhatEntroQRejects() {
    for (String flag :
        List.of(
            "--mkdir",
            "--snapshot_and_quit",
            "--periodic_snapshot=1h",
            "--journal_cleanup",
            "--journal_max_items=1",
            "--journal_max_bytes=1")) {
      Cli.run("serve", flag).assertMisused(flag.split("=", 2)[0], "--journal");
      Cli.run(flag).assertMisused(flag.split("=", 2)[0], "--journal");
    }
    Cli.run("--journal=j", "--journal_cleanup").assertMisused("--journal_cleanup: needs");
    Cli.run("--journal=j", "--snapshot_and_quit", "--periodic_snapshot=1h")
        .assertMisused("--snapshot_and_quit: cannot be combined with --periodic_snapshot");
    Cli.run("--authz", "all")
        .assertMisused("--authz: invalid value 'all': expected none, opahttp or mesh");
    Cli.run("--authz=").assertMisused("--authz: ");
    Cli.run("--port").assertMisused("--port");
  }

  private static String printed(List<String> words) {
    List<String> all = new ArrayList<>(words);
    all.add("--print-config");
    return Cli.run(all.toArray()).assertGood().out();
  }
}
