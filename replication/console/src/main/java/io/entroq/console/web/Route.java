package io.entroq.console.web;

import io.entroq.console.user.Role;

/**
 * What answers a path.
 *
 * @param isPost whether it changes something, and is a POST; otherwise a GET
 * @param least the role that it takes
 */
public record Route(String path, boolean isPost, Role least, PageHandler handler) {}
