package io.entroq.client;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.Test;

/** Which packages may depend on which. */
class ImportRulesTest {
  private static final JavaClasses CLIENT =
      new ClassFileImporter()
          .withImportOption(new ImportOption.DoNotIncludeTests())
          .importPackages("io.entroq.client");

  @Test
  void shouldImportOnlyTheApiTheWireAndGrpc() {
    classes()
        .that()
        .resideInAPackage("io.entroq.client..")
        .should()
        .onlyDependOnClassesThat()
        .resideInAnyPackage(
            "io.entroq.client..",
            "io.entroq.api..",
            "io.entroq.codec.wire..",
            "io.grpc..",
            "com.google.protobuf..",
            "com.google.rpc..",
            "java..")
        .check(CLIENT);
  }

  @Test
  void shouldKeepConnectionsInOnePackage() {
    noClasses()
        .that()
        .resideInAPackage("io.entroq.client")
        .should()
        .dependOnClassesThat()
        .haveNameMatching("io\\.grpc\\.(?!Status).*")
        .because("the same requests go over another transport")
        .check(CLIENT);
  }

  @Test
  void shouldHaveNoCycles() {
    slices().matching("io.entroq.(client..)").should().beFreeOfCycles().check(CLIENT);
  }
}
