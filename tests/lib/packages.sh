# shellcheck shell=bash
# Debian packages: what is missing is installed by root, and named to anyone else.

missing_packages() {  # <package>...
    local package
    for package in "$@"; do
        # One line for each architecture that it is installed for.
        dpkg-query -W -f '${db:Status-Status}\n' "$package" 2>/dev/null | grep -x installed >/dev/null || echo "$package"
    done
}

require_packages() {  # <package>...
    # Elsewhere than on Debian the build itself says what it lacks.
    command -v dpkg-query >/dev/null || return 0
    local missing
    mapfile -t missing < <(missing_packages "$@")
    [ ${#missing[@]} -eq 0 ] && return 0
    if [ "$(id -u)" -ne 0 ]; then
        echo "These packages are missing: ${missing[*]}" >&2
        return 1
    fi
    echo "Installing ${missing[*]}"
    export DEBIAN_FRONTEND=noninteractive
    { apt-get update && apt-get install -y --no-install-recommends "${missing[@]}"; } >/dev/null
}
